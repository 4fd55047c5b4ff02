package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.SortKey.Direction;
import dev.sluice.catalog.SortKey.NullOrder;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.catalog.read.CatalogView;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sort orders, comments, defaults and NOT NULL through DuckDB and through us: the same rows. */
class AttributesComparisonTest {

  private static final TableName NAME = new TableName("main", "t");
  private static final TableRef TABLE = new TableRef.ByName(NAME);

  @TempDir Path folder;
  private TwoLakes lakes;

  @BeforeEach
  void makeTables() throws SQLException {
    lakes = TwoLakes.create(folder);
    lakes.same(
        "CREATE TABLE t (id INTEGER, v VARCHAR, s STRUCT(a INTEGER))",
        new Change.CreateTable(
            NAME,
            List.of(
                ColumnSpec.of("id", Scalar.INT32),
                ColumnSpec.of("v", Scalar.VARCHAR),
                ColumnSpec.nested("s", Nested.STRUCT, List.of(ColumnSpec.of("a", Scalar.INT32)))),
            List.of(),
            IfExists.REFUSE));
  }

  @AfterEach
  void closeLakes() throws SQLException {
    lakes.close();
  }

  /** DuckDB quotes a name in a sort order only where it must; ours is always quoted. */
  private void same(String sql, Change change) throws SQLException {
    lakes.theirs.execute(sql);
    lakes.ours.commit(change);
    lakes.assertSame(sql, Set.of("ducklake_sort_expression.expression"));
  }

  private CatalogView view() {
    return lakes.ours.catalog.reader().view(lakes.ours.catalog.reader().latest());
  }

  private List<SortKey> sortKeys() {
    Table table = view().table(NAME);
    return view().sortKeys(table);
  }

  private void refused(Change change, String reason) {
    assertThatThrownBy(() -> lakes.ours.commit(change))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void sortOrdersAreSetFollowARenameAndAreReset() throws SQLException {
    SortKey byId = new SortKey("\"id\"", Direction.DESC, NullOrder.NULLS_FIRST);
    same(
        "ALTER TABLE t SET SORTED BY (id DESC NULLS FIRST, v ASC)",
        new Change.SetSortOrder(TABLE, List.of(byId, SortKey.ascending("v"))));
    assertThat(sortKeys()).containsExactly(byId, SortKey.ascending("v"));

    same(
        "ALTER TABLE t RENAME COLUMN v TO \"w w\"",
        new Change.RenameColumn(TABLE, List.of("v"), "w w"));
    assertThat(sortKeys()).containsExactly(byId, SortKey.ascending("w w"));

    same("ALTER TABLE t RESET SORTED BY", new Change.SetSortOrder(TABLE, List.of()));
    assertThat(sortKeys()).isEmpty();
  }

  @Test
  void commentsAreSetChangedAndRemoved() throws SQLException {
    lakes.same("COMMENT ON TABLE t IS 'all'", new Change.SetComment(TABLE, List.of(), "all"));
    lakes.same(
        "COMMENT ON COLUMN t.id IS 'it''s the key'",
        new Change.SetComment(TABLE, List.of("id"), "it's the key"));
    lakes.same("COMMENT ON TABLE t IS 'more'", new Change.SetComment(TABLE, List.of(), "more"));
    Table table = view().table(NAME);
    assertThat(view().comment(table)).contains("more");
    assertThat(view().columnComment(table, 1)).contains("it's the key");

    lakes.same("COMMENT ON COLUMN t.id IS NULL", new Change.SetComment(TABLE, List.of("id"), null));
    lakes.same("COMMENT ON TABLE t IS NULL", new Change.SetComment(TABLE, List.of(), null));
    assertThat(view().comment(table)).isEmpty();
  }

  @Test
  void defaultsAreSetAndRemoved() throws SQLException {
    lakes.same(
        "ALTER TABLE t ALTER COLUMN id SET DEFAULT 5", new Change.SetDefault(TABLE, "id", "5"));
    lakes.same(
        "ALTER TABLE t ALTER COLUMN v SET DEFAULT 'it''s'",
        new Change.SetDefault(TABLE, "v", "it's"));
    assertThat(view().table(NAME).columns().get(0).defaultValue()).isEqualTo("5");

    lakes.same(
        "ALTER TABLE t ALTER COLUMN id DROP DEFAULT", new Change.SetDefault(TABLE, "id", null));
    assertThat(view().table(NAME).columns().get(0).defaultValue()).isNull();
  }

  @Test
  void nullIsForbiddenAndAllowed() throws SQLException {
    NewDataFile file =
        lakes.fileWithBounds(
            "SELECT 1::INT AS id, NULL::VARCHAR AS v",
            new LeafStatistics(List.of("id"), 0, 1L, 0L, "1", "1", null, null),
            new LeafStatistics(List.of("v"), 0, 0L, 1L, null, null, null, null));
    lakes.same("ALTER TABLE t DROP COLUMN s", new Change.DropColumn(TABLE, List.of("s")));
    lakes.same(
        "CALL ducklake_add_data_files('lake', 't', '%s')".formatted(file.path()),
        new Change.AddDataFiles(TABLE, List.of(file)));

    lakes.same(
        "ALTER TABLE t ALTER COLUMN id SET NOT NULL",
        new Change.SetNulls(TABLE, "id", Nulls.FORBIDDEN));
    refused(new Change.SetNulls(TABLE, "v", Nulls.FORBIDDEN), "has NULL there, or does not say");
    lakes.same(
        "ALTER TABLE t ALTER COLUMN id DROP NOT NULL",
        new Change.SetNulls(TABLE, "id", Nulls.ALLOWED));
  }

  @Test
  void aColumnThatOlderFilesLackForbidsNullOnlyByItsInitialDefault() throws SQLException {
    NewDataFile file = lakes.ours.file("SELECT 1::INT AS id, 'a' AS v, {'a': 1::INT} AS s");
    lakes.ours.commit(new Change.AddDataFiles(TABLE, List.of(file)));
    lakes.ours.commit(
        new Change.AddColumn(TABLE, List.of(), ColumnSpec.of("n", Scalar.INT32)),
        new Change.AddColumn(
            TABLE, List.of(), new ColumnSpec("d", Scalar.INT32, Nulls.ALLOWED, "7", List.of())));

    refused(new Change.SetNulls(TABLE, "n", Nulls.FORBIDDEN), "does not say");
    lakes.ours.commit(new Change.SetNulls(TABLE, "d", Nulls.FORBIDDEN));
    assertThat(lakes.ours.ask("SELECT d FROM t")).isEqualTo("7");
  }

  @Test
  void rowsThatDuckDbKeepsInTheCatalogForbidNothing() throws SQLException {
    lakes.ours.duck.execute("CALL lake.set_option('data_inlining_row_limit', '10')");
    lakes.ours.duck.execute("INSERT INTO t VALUES (NULL, 'a', NULL)");

    refused(new Change.SetNulls(TABLE, "id", Nulls.FORBIDDEN), "keeps rows of it in the catalog");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    refused(new Change.SetSortOrder(TABLE, List.of(SortKey.ascending("nope"))), "it is no column");
    refused(
        new Change.SetSortOrder(TABLE, List.of(SortKey.ascending("id"), SortKey.descending("ID"))),
        "the second key never decides");
    refused(new Change.SetDefault(TABLE, "id", "five"), "'five' is no int32");
    refused(new Change.SetDefault(TABLE, "s", "1"), "nested columns cannot have a default");
    refused(new Change.SetComment(TABLE, List.of("nope"), "x"), "has no column nope");
    refused(new Change.SetNulls(TABLE, "s", Nulls.FORBIDDEN), "it is nested");
  }
}
