package dev.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A small prepared upstream import: what a team's importer has left in its bucket when it ends.
 * Source type Stripe, team 1, three tables, the same contents on every run.
 *
 * <ul>
 *   <li>{@code customers}: unpartitioned, with NULLs, Unicode and a nested column;
 *   <li>{@code invoices}: partitioned by {@code _ph_partition_key} (months), two files in the first
 *       month, decimals and timestamps with time zone;
 *   <li>{@code subscriptions}: partitioned, with dates, booleans and a list.
 * </ul>
 *
 * <p>The second generation is the next import: more customers, one more month of invoices with a
 * new column {@code tax}, other amounts, and a month of subscriptions that is gone.
 */
public final class SamplePrepared {

  /** The team of the sample. */
  public static final int TEAM = 1;

  /** The source type of the sample, as the source names itself. */
  public static final String SOURCE_TYPE = "Stripe";

  private static final String CUSTOMERS_ID = "0198d000-1111-7a00-8000-00000000c001";
  private static final String INVOICES_ID = "0198d000-2222-7a00-8000-00000000c002";
  private static final String SUBSCRIPTIONS_ID = "0198d000-3333-7a00-8000-00000000c003";
  private static final int INVOICES_PER_FILE = 1_500;
  private static final int SUBSCRIPTIONS_PER_FILE = 400;

  private final DuckLakeSession session;
  private final String root;

  private SamplePrepared(DuckLakeSession session, String root) {
    this.session = session;
    this.root = root;
  }

  /**
   * A sample in a bucket of an S3 endpoint that the session can write to.
   *
   * @param session has the httpfs extension and {@link DuckLakeSession#useS3(EmbeddedS3)} behind it
   */
  public static SamplePrepared inBucket(DuckLakeSession session, String bucket) {
    return new SamplePrepared(session, "s3://" + bucket);
  }

  /** A sample in a local folder; needs no extension. */
  public static SamplePrepared inFolder(DuckLakeSession session, Path folder) {
    return new SamplePrepared(session, folder.toString());
  }

  /** Writes the first generation, or writes the same files again. */
  public List<PreparedTable> writeFirstGeneration() throws SQLException {
    return List.of(
        customers("customers__query_1785365519_02076d94", 1_200),
        invoices("invoices__query_1785365521_5be1a0c7", 6, ""),
        subscriptions("subscriptions__query_1785365523_c3d94f18", 1, 4));
  }

  /** Writes the second generation beside the first. */
  public List<PreparedTable> writeSecondGeneration() throws SQLException {
    return List.of(
        customers("customers__query_1785451919_9c1f0b7e", 1_350),
        invoices(
            "invoices__query_1785451921_e07a64d2",
            7,
            ", CAST(n % 700 / 100 AS DECIMAL(18, 4)) AS tax"),
        subscriptions("subscriptions__query_1785451923_17fb82ac", 2, 4));
  }

  private PreparedTable customers(String folder, int rows) throws SQLException {
    Sink sink = new Sink("customers", CUSTOMERS_ID, folder);
    sink.write(
        "part-0.parquet",
        rows,
        """
        SELECT n AS id,
               CASE WHEN n %% 40 = 0 THEN NULL
                    WHEN n %% 7 = 0 THEN 'Zoë & Søn №' || n
                    ELSE 'Customer ' || n END AS name,
               'customer' || n || '@example.com' AS email,
               {'city': CASE n %% 3 WHEN 0 THEN 'Praha' WHEN 1 THEN 'Lyon' ELSE 'São Paulo' END,
                'postcode': lpad(CAST(n AS VARCHAR), 5, '0')} AS address,
               TIMESTAMPTZ '2025-01-01 00:00:00+00' + to_hours(CAST(n AS INTEGER)) AS created
        FROM range(1, %d) AS rows(n) ORDER BY n
        """
            .formatted(rows + 1));
    return sink.table();
  }

  private PreparedTable invoices(String folder, int months, String moreColumns)
      throws SQLException {
    Sink sink = new Sink("invoices", INVOICES_ID, folder);
    int first = 1;
    for (int month = 1; month <= months; month++) {
      int parts = month == 1 ? 2 : 1;
      for (int part = 0; part < parts; part++) {
        sink.write(
            monthFolder(month) + "part-" + part + ".parquet",
            INVOICES_PER_FILE,
            """
            SELECT n AS id, 1 + n %% 1200 AS customer_id,
                   CAST(n * 37 %% 250000 / 100 AS DECIMAL(18, 2)) AS amount,
                   CASE n %% 4 WHEN 0 THEN 'open' WHEN 1 THEN 'void' ELSE 'paid' END AS status,
                   CASE WHEN n %% 9 = 0 THEN NULL ELSE n / 3.0 END AS discount,
                   TIMESTAMPTZ '2026-%02d-01 00:00:00+00' + to_minutes(n %% 40000) AS created%s
            FROM range(%d, %d) AS rows(n) ORDER BY n
            """
                .formatted(month, moreColumns, first, first + INVOICES_PER_FILE));
        first += INVOICES_PER_FILE;
      }
    }
    return sink.table();
  }

  private PreparedTable subscriptions(String folder, int firstMonth, int lastMonth)
      throws SQLException {
    Sink sink = new Sink("subscriptions", SUBSCRIPTIONS_ID, folder);
    for (int month = firstMonth; month <= lastMonth; month++) {
      int first = month * SUBSCRIPTIONS_PER_FILE;
      sink.write(
          monthFolder(month) + "part-0.parquet",
          SUBSCRIPTIONS_PER_FILE,
          """
          SELECT 'sub_' || lpad(CAST(n AS VARCHAR), 6, '0') AS id, 1 + n %% 1200 AS customer_id,
                 DATE '2026-%02d-01' + CAST(n %% 28 AS INTEGER) AS started,
                 n %% 5 <> 0 AS active,
                 CASE WHEN n %% 3 = 0 THEN [] ELSE ['basic', 'extra ' || n %% 3] END AS items
          FROM range(%d, %d) AS rows(n) ORDER BY n
          """
              .formatted(month, first, first + SUBSCRIPTIONS_PER_FILE));
    }
    return sink.table();
  }

  private static String monthFolder(int month) {
    return String.format(Locale.ROOT, "_ph_partition_key=2026-%02d/", month);
  }

  /** Collects the files of one table's prepared folder while they are written. */
  private final class Sink {

    private final String name;
    private final String schemaId;
    private final String folder;
    private final List<String> files = new ArrayList<>();
    private long rows;

    private Sink(String name, String schemaId, String folder) {
      this.name = name;
      this.schemaId = schemaId;
      this.folder = folder;
    }

    private void write(String relativePath, int rowsOfFile, String query) throws SQLException {
      String key = folderPath() + "/" + folder + "/" + relativePath;
      String target = root + "/" + key;
      if (!root.startsWith("s3://")) {
        makeParent(Path.of(target));
      }
      session.execute(
          "COPY ("
              + query
              + ") TO "
              + DuckDbEngine.literal(target)
              + " (FORMAT parquet, COMPRESSION zstd)");
      files.add(key);
      rows += rowsOfFile;
    }

    private PreparedTable table() {
      return new PreparedTable(
          name, schemaId, folderPath(), folder, rows, files.stream().sorted().toList());
    }

    private String folderPath() {
      String path = "team_" + TEAM + "_" + SOURCE_TYPE + "_" + schemaId;
      return path.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    private static void makeParent(Path file) {
      try {
        Files.createDirectories(file.toAbsolutePath().getParent());
      } catch (IOException e) {
        throw EmbeddedErrors.folderUnusable(file, e);
      }
    }
  }
}
