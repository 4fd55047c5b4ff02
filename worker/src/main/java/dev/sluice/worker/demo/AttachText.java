package dev.sluice.worker.demo;

import java.util.List;

/** The statements that attach a lake of the embedded stack in DuckDB. */
final class AttachText {

  private AttachText() {}

  /** The statements in order, each ready to paste. */
  static List<String> statements(EmbeddedStack stack) {
    return List.of(
        "INSTALL ducklake; INSTALL postgres; INSTALL httpfs;",
        "CREATE OR REPLACE SECRET sluice_s3 (TYPE s3, KEY_ID "
            + literal(stack.s3().accessKey())
            + ", SECRET "
            + literal(stack.s3().secretKey())
            + ", ENDPOINT "
            + literal(stack.s3().authority())
            + ", REGION "
            + literal(stack.s3().region())
            + ", URL_STYLE 'path', USE_SSL false);",
        "ATTACH "
            + literal("ducklake:postgres:" + stack.lakeDatabase().libpq())
            + " AS lake (METADATA_SCHEMA 'public', DATA_INLINING_ROW_LIMIT 0);",
        "USE lake;");
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
