package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.ParquetRefusedException.Kind;

/** Every refusal of this package: file: problem; reason; remedy. */
final class ParquetErrors {

  private ParquetErrors() {}

  static ParquetRefusedException emptyObject(String file) {
    return refused(
        file,
        Kind.EMPTY_OBJECT,
        "the object has 0 bytes",
        "a Parquet file without rows still has a footer, so this one was never written",
        "write the file again or take it out of the folder");
  }

  static ParquetRefusedException notParquet(String file, long sizeBytes) {
    return refused(
        file,
        Kind.NOT_PARQUET,
        "not a whole Parquet file",
        "its %d bytes do not begin and end with PAR1, so it was cut off or is something else"
            .formatted(sizeBytes),
        "write the file again or take it out of the folder");
  }

  static ParquetRefusedException encrypted(String file) {
    return refused(
        file,
        Kind.ENCRYPTED,
        "the file is encrypted",
        "lakes with encrypted files are not supported",
        "write the file without Parquet encryption");
  }

  static ParquetRefusedException corruptFooter(String file, String contradiction) {
    return refused(
        file,
        Kind.CORRUPT_FOOTER,
        "the footer cannot be right",
        contradiction,
        "the file is damaged or its writer is broken; write it again");
  }

  static ParquetRefusedException unreadableFooter(String file, Throwable cause) {
    ParquetRefusedException refusal =
        corruptFooter(file, "it does not parse (" + cause.getMessage() + ")");
    refusal.initCause(cause);
    return refusal;
  }

  static ParquetRefusedException undecodablePathValue(String path, String key, String value) {
    return refused(
        path,
        Kind.PARTITION_VALUE,
        "the value '%s' of path key '%s' cannot be decoded".formatted(value, key),
        "its percent-encoded bytes are no UTF-8",
        "rename the folder");
  }

  private static ParquetRefusedException refused(
      String file, Kind kind, String problem, String reason, String remedy) {
    return new ParquetRefusedException(
        file, kind, file + ": " + problem + "; " + reason + "; " + remedy);
  }
}
