package dev.sluice.activities.lake.sequence;

import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.PartitionTransform.Simple;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Steps that change the columns and the layout of one table. Empty where the table has none. */
final class LayoutSteps {

  private static final Map<Scalar, Scalar> WIDER =
      Map.of(
          Scalar.INT8, Scalar.INT32,
          Scalar.INT16, Scalar.INT32,
          Scalar.INT32, Scalar.INT64,
          Scalar.UINT8, Scalar.INT32,
          Scalar.FLOAT32, Scalar.FLOAT64);

  /** Constants for defaults: one text for every type that can have one. */
  private static final Map<Scalar, String> CONSTANTS =
      Map.of(
          Scalar.BOOLEAN, "true",
          Scalar.DATE, "2024-02-29",
          Scalar.TIMESTAMP, "2024-02-29 01:02:03",
          Scalar.VARCHAR, "it's",
          Scalar.UUID, "00000000-0000-0000-0000-000000000007");

  private final Table table;
  private final Set<String> sorted;
  private final Writer writer;
  private final Random random;

  /**
   * Steps for a table.
   *
   * @param sortKeys the table's sort order
   */
  LayoutSteps(Table table, List<SortKey> sortKeys, Writer writer, Random random) {
    this.table = table;
    this.writer = writer;
    this.random = random;
    this.sorted =
        table.columns().stream()
            .map(Column::name)
            .filter(name -> sortKeys.stream().anyMatch(key -> key.isColumn(name)))
            .collect(Collectors.toSet());
  }

  private Step alter(String sql, Change change) {
    String statement = "ALTER TABLE @." + SequenceLake.sql(table.name()) + " " + sql;
    return switch (writer) {
      case DUCKDB -> Step.duckDb(statement);
      case SLUICE -> Step.sluice(statement, lake -> lake.commit(change));
    };
  }

  private TableRef ref() {
    return TableRef.id(table.id());
  }

  Optional<Step> addColumn() {
    return name(table.columns())
        .map(
            name -> {
              ColumnSpec plain = Columns.random(name, random);
              Optional<String> constant =
                  random.nextBoolean() ? constant(plain.type()) : Optional.empty();
              ColumnSpec spec =
                  new ColumnSpec(
                      name, plain.type(), Nulls.ALLOWED, constant.orElse(null), plain.children());
              return alter(
                  "ADD COLUMN "
                      + Columns.sql(spec)
                      + constant.map(text -> " DEFAULT " + Sql.literal(text)).orElse(""),
                  new Change.AddColumn(ref(), List.of(), spec));
            });
  }

  Optional<Step> addField() {
    return one(column -> column.type() == Nested.STRUCT)
        .flatMap(
            struct ->
                name(struct.children())
                    .map(
                        name -> {
                          ColumnSpec spec =
                              ColumnSpec.of(
                                  name, random.nextBoolean() ? Scalar.INT32 : Scalar.VARCHAR);
                          return alter(
                              "ADD COLUMN "
                                  + Sql.identifier(struct.name())
                                  + "."
                                  + Columns.sql(spec),
                              new Change.AddColumn(ref(), List.of(struct.name()), spec));
                        }));
  }

  Optional<Step> dropColumn() {
    return table.columns().size() < 3
        ? Optional.empty()
        : one(column -> !sorted.contains(column.name()) && !isPartitionKey(column))
            .map(
                column ->
                    alter(
                        "DROP COLUMN " + Sql.identifier(column.name()),
                        new Change.DropColumn(ref(), List.of(column.name()))));
  }

  Optional<Step> dropField() {
    return one(column -> column.type() == Nested.STRUCT && column.children().size() > 1)
        .map(
            struct -> {
              List<String> path = List.of(struct.name(), field(struct).name());
              return alter("DROP COLUMN " + sql(path), new Change.DropColumn(ref(), path));
            });
  }

  /**
   * No partition key: DuckDB 1.5.5 does not merge files whose folders have its old name with those
   * that have its new one (docs/reference/duckdb-faults.md).
   */
  Optional<Step> renameColumn() {
    return name(table.columns())
        .flatMap(
            name ->
                one(column -> !isPartitionKey(column))
                    .map(
                        column ->
                            alter(
                                "RENAME COLUMN %s TO %s"
                                    .formatted(Sql.identifier(column.name()), Sql.identifier(name)),
                                new Change.RenameColumn(ref(), List.of(column.name()), name))));
  }

  Optional<Step> renameField() {
    return one(column -> column.type() == Nested.STRUCT)
        .flatMap(
            struct ->
                name(struct.children())
                    .map(
                        name -> {
                          List<String> path = List.of(struct.name(), field(struct).name());
                          return alter(
                              "RENAME COLUMN " + sql(path) + " TO " + Sql.identifier(name),
                              new Change.RenameColumn(ref(), path, name));
                        }));
  }

  Optional<Step> retype() {
    return one(column -> wider(column.type()).isPresent())
        .map(
            column -> {
              ColumnType type = wider(column.type()).orElseThrow();
              return alter(
                  "ALTER %s SET TYPE %s"
                      .formatted(Sql.identifier(column.name()), Columns.sqlType(type)),
                  new Change.RetypeColumn(ref(), List.of(column.name()), type));
            })
        .map(this::withFreshStatistics);
  }

  /**
   * DuckDB 1.5.5 keeps a column's bounds by a number that its own retype does not move, and a
   * comparison then ends in an internal error until it attaches the lake again
   * (docs/reference/duckdb-faults.md). Ours moves it.
   */
  private Step withFreshStatistics(Step retype) {
    return switch (writer) {
      case SLUICE -> retype;
      case DUCKDB -> retype.thenAttachAgain();
    };
  }

  /** DuckDB names a struct's type as a whole. */
  Optional<Step> retypeField() {
    return one(column ->
            column.type() == Nested.STRUCT
                && column.children().stream().anyMatch(f -> wider(f.type()).isPresent()))
        .map(
            struct -> {
              Column field =
                  struct.children().stream()
                      .filter(each -> wider(each.type()).isPresent())
                      .findFirst()
                      .orElseThrow();
              ColumnType type = wider(field.type()).orElseThrow();
              String fields =
                  struct.children().stream()
                      .map(
                          each ->
                              Sql.identifier(each.name())
                                  + " "
                                  + (each.equals(field) ? Columns.sqlType(type) : SqlType.of(each)))
                      .collect(Collectors.joining(", "));
              return alter(
                  "ALTER %s SET TYPE STRUCT(%s)".formatted(Sql.identifier(struct.name()), fields),
                  new Change.RetypeColumn(ref(), List.of(struct.name(), field.name()), type));
            })
        .map(this::withFreshStatistics);
  }

  Optional<Step> partition() {
    List<PartitionKey> keys = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(2); i++) {
      partitionKey()
          .filter(key -> keys.stream().noneMatch(k -> k.column().equals(key.column())))
          .ifPresent(keys::add);
    }
    return keys.isEmpty()
        ? Optional.empty()
        : Optional.of(
            alter(
                    "SET PARTITIONED BY "
                        + keys.stream()
                            .map(LayoutSteps::sql)
                            .collect(Collectors.joining(", ", "(", ")")),
                    new Change.SetPartitioning(ref(), keys))
                .withoutPlain());
  }

  Optional<Step> resetPartition() {
    return table.partitioning().keys().isEmpty()
        ? Optional.empty()
        : Optional.of(
            alter("RESET PARTITIONED BY", new Change.SetPartitioning(ref(), List.of()))
                .withoutPlain());
  }

  Optional<Step> sort() {
    return one(column -> column.type() instanceof Scalar)
        .map(
            column ->
                alter(
                        "SET SORTED BY (" + Sql.identifier(column.name()) + " DESC NULLS LAST)",
                        new Change.SetSortOrder(ref(), List.of(SortKey.descending(column.name()))))
                    .withoutPlain());
  }

  Optional<Step> resetSort() {
    return sorted.isEmpty()
        ? Optional.empty()
        : Optional.of(
            alter("RESET SORTED BY", new Change.SetSortOrder(ref(), List.of())).withoutPlain());
  }

  /**
   * Plain columns allow NULL always: constraints would keep them from being altered. Writers know
   * less than is true, e.g. of NULLs that have been deleted since.
   */
  Optional<Step> forbidNull() {
    return one(column -> column.nulls() == Nulls.ALLOWED && column.type() instanceof Scalar)
        .map(
            column ->
                alter(
                        "ALTER " + Sql.identifier(column.name()) + " SET NOT NULL",
                        new Change.SetNulls(ref(), column.name(), Nulls.FORBIDDEN))
                    .withoutPlain()
                    .thatMayBeRefused("NOT NULL", "cannot forbid NULL"));
  }

  Optional<Step> allowNull() {
    return one(column -> column.nulls() == Nulls.FORBIDDEN)
        .map(
            column ->
                alter(
                        "ALTER " + Sql.identifier(column.name()) + " DROP NOT NULL",
                        new Change.SetNulls(ref(), column.name(), Nulls.ALLOWED))
                    .withoutPlain());
  }

  Optional<Step> setDefault() {
    return one(column -> constant(column.type()).isPresent())
        .map(
            column -> {
              String constant = constant(column.type()).orElseThrow();
              return alter(
                  "ALTER %s SET DEFAULT %s"
                      .formatted(Sql.identifier(column.name()), Sql.literal(constant)),
                  new Change.SetDefault(ref(), column.name(), constant));
            });
  }

  Optional<Step> dropDefault() {
    return one(column -> column.defaultValue() != null && !column.defaultValue().equals("NULL"))
        .map(
            column ->
                alter(
                    "ALTER " + Sql.identifier(column.name()) + " DROP DEFAULT",
                    new Change.SetDefault(ref(), column.name(), null)));
  }

  private Optional<PartitionKey> partitionKey() {
    return one(column -> !transforms(column.type()).isEmpty())
        .map(
            column -> {
              List<PartitionTransform> all = transforms(column.type());
              return new PartitionKey(column.name(), all.get(random.nextInt(all.size())));
            });
  }

  private List<PartitionTransform> transforms(ColumnType type) {
    PartitionTransform bucket = new PartitionTransform.Bucket(2 + random.nextInt(3));
    if (type == Scalar.DATE) {
      return List.of(Simple.YEAR, Simple.MONTH, Simple.DAY, bucket);
    }
    if (type == Scalar.TIMESTAMP) {
      return List.of(Simple.YEAR, Simple.MONTH, Simple.HOUR, bucket);
    }
    boolean few =
        type instanceof Decimal
            || Set.of(Scalar.INT16, Scalar.INT32, Scalar.INT64, Scalar.VARCHAR, Scalar.UUID)
                .contains(type);
    return few
        ? List.of(Simple.IDENTITY, bucket)
        : type == Scalar.BOOLEAN ? List.of(Simple.IDENTITY) : List.of();
  }

  private static String sql(PartitionKey key) {
    String column = Sql.identifier(key.column());
    return switch (key.transform()) {
      case PartitionTransform.Bucket bucket -> "bucket(" + bucket.buckets() + ", " + column + ")";
      case Simple simple -> simple == Simple.IDENTITY ? column : simple.text() + "(" + column + ")";
    };
  }

  private boolean isPartitionKey(Column column) {
    return table.partitioning().keys().stream().anyMatch(key -> key.column().equals(column.name()));
  }

  private static Optional<ColumnType> wider(ColumnType type) {
    if (type instanceof Decimal decimal) {
      return decimal.precision() > 30
          ? Optional.empty()
          : Optional.of(new Decimal(decimal.precision() + 3, decimal.scale() + 1));
    }
    return type instanceof Scalar scalar
        ? Optional.<ColumnType>ofNullable(WIDER.get(scalar))
        : Optional.empty();
  }

  /** The text of a value of the type; numbers are the rest. */
  private static Optional<String> constant(ColumnType type) {
    if (type instanceof Nested || type == Scalar.BLOB) {
      return Optional.empty();
    }
    return Optional.of(
        type instanceof Scalar scalar ? CONSTANTS.getOrDefault(scalar, "42") : "4.25");
  }

  private Optional<Column> one(Predicate<Column> which) {
    List<Column> all = table.columns().stream().filter(which).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private Column field(Column struct) {
    return struct.children().get(random.nextInt(struct.children().size()));
  }

  private Optional<String> name(List<Column> taken) {
    return Columns.freeName(taken.stream().map(Column::name).toList(), random);
  }

  private static String sql(List<String> path) {
    return path.stream().map(Sql::identifier).collect(Collectors.joining("."));
  }
}
