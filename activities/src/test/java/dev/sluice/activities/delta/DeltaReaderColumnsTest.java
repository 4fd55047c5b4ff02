package dev.sluice.activities.delta;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.mappedField;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.delta.DeltaException.Kind;
import dev.sluice.activities.delta.DeltaStatistics.Facts;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns, their types and how they are found in files. */
class DeltaReaderColumnsTest {

  private static final String EMPTY_STRUCT = "{\"type\":\"struct\",\"fields\":[]}";

  @TempDir private Path scratch;
  private DeltaFolder table;

  @BeforeEach
  void openFolder() {
    table = new DeltaFolder(scratch.resolve("t"));
  }

  @ParameterizedTest
  @CsvSource({
    "boolean, boolean",
    "byte, int8",
    "short, int16",
    "integer, int32",
    "long, int64",
    "float, float32",
    "double, float64",
    "string, varchar",
    "binary, blob",
    "date, date",
    "timestamp, timestamptz",
    "timestamp_ntz, timestamp",
    "'decimal(38,18)', 'decimal(38,18)'",
    "decimal, 'decimal(10,0)'"
  })
  void typesBecomeDuckLakes(String delta, String lake) {
    table.commit(0, protocol("timestampNtz"), metadata(schema(field("c", delta))));

    assertThat(table.latest().columns().get(0).type()).isEqualTo(ColumnType.parse(lake));
  }

  @Test
  void nestedTypesKeepTheirFields() {
    String list = "{\"type\":\"array\",\"elementType\":\"integer\",\"containsNull\":true}";
    String map =
        "{\"type\":\"map\",\"keyType\":\"string\",\"valueType\":%s,\"valueContainsNull\":true}"
            .formatted(list);
    table.commit(
        0,
        protocol(),
        metadata(
            schema(field("s", schema(field("l", list), field("m", map))), field("d", "date"))));

    assertThat(table.latest().columns())
        .extracting(DeltaColumn::spec)
        .containsExactly(
            ColumnSpec.nested(
                "s",
                Nested.STRUCT,
                List.of(
                    ColumnSpec.nested(
                        "l", Nested.LIST, List.of(ColumnSpec.of("element", Scalar.INT32))),
                    ColumnSpec.nested(
                        "m",
                        Nested.MAP,
                        List.of(
                            ColumnSpec.of("key", Scalar.VARCHAR),
                            ColumnSpec.nested(
                                "value",
                                Nested.LIST,
                                List.of(ColumnSpec.of("element", Scalar.INT32))))))),
            ColumnSpec.of("d", Scalar.DATE));
  }

  @Test
  @DisplayName("CPY-07: mapped columns have logical and physical names")
  void cpy07_mappedColumnsHaveLogicalAndPhysicalNames() {
    table.commit(
        0,
        protocol("columnMapping"),
        metadata(
            schema(
                mappedField("id", "integer", 1, "col-1"),
                mappedField("name", "string", 2, "col-2")),
            Map.of("delta.columnMapping.mode", "name")),
        add("f.parquet")
            .statistics(
                "{\"numRecords\":1,\"minValues\":{\"col-1\":1,\"col-2\":\"a\"},\"maxValues\":{\"col-1\":1,\"col-2\":\"a\"},\"nullCount\":{\"col-1\":0,\"col-2\":0}}"));

    DeltaSnapshot snapshot = table.latest();
    assertThat(snapshot.columnMapping()).isEqualTo(ColumnMapping.NAME);
    assertThat(snapshot.columns()).extracting(DeltaColumn::name).containsExactly("id", "name");
    assertThat(snapshot.columns())
        .extracting(DeltaColumn::physicalName)
        .containsExactly("col-1", "col-2");
    assertThat(table.liveFiles().get(0).statistics().columns())
        .containsOnly(
            Map.entry(List.of("id"), new Facts("1", "1", 0L)),
            Map.entry(List.of("name"), new Facts("a", "a", 0L)));
  }

  @Test
  void columnsMappedByIdHaveTheirFieldIds() {
    String struct = schema(mappedField("x", "integer", 5, "p-5"));
    table.commit(
        0,
        protocol("columnMapping"),
        metadata(
            schema(mappedField("id", "integer", 3, "p-3"), mappedField("s", struct, 4, "p-4")),
            Map.of("delta.columnMapping.mode", "id")));

    DeltaSnapshot snapshot = table.latest();
    assertThat(snapshot.columnMapping()).isEqualTo(ColumnMapping.ID);
    assertThat(snapshot.columns()).extracting(DeltaColumn::fieldId).containsExactly(3, 4);
    assertThat(snapshot.columns().get(1).children())
        .extracting(DeltaColumn::fieldId)
        .containsExactly(5);
  }

  @Test
  void mappedColumnWithoutPhysicalNameIsRefused() {
    table.commit(
        0,
        protocol("columnMapping"),
        metadata(schema(field("id", "integer")), Map.of("delta.columnMapping.mode", "name")));

    assertRefused(
        "column mapping by NAME is on and column 'id' has no delta.columnMapping.physicalName");
  }

  @Test
  @DisplayName("CPY-13: widened types are the present ones")
  void cpy13_widenedTypesAreThePresentOnes() {
    String widened =
        "{\"name\":\"n\",\"type\":\"long\",\"nullable\":true,\"metadata\":{\"delta.typeChanges\":[{\"fromType\":\"integer\",\"toType\":\"long\"}]}}";
    table.commit(
        0,
        protocol("typeWidening", "timestampNtz"),
        metadata(
            schema(widened, field("t", "timestamp_ntz"), field("d", "decimal(20,2)")),
            Map.of("delta.enableTypeWidening", "true")),
        add("narrow.parquet"),
        add("wide.parquet"));

    assertThat(table.latest().columns())
        .extracting(DeltaColumn::type)
        .containsExactly(Scalar.INT64, Scalar.TIMESTAMP, new ColumnType.Decimal(20, 2));
  }

  @Test
  @DisplayName("CPY-14: void and empty structs are left out by name")
  void cpy14_voidAndEmptyStructsAreLeftOutByName() {
    table.commit(
        0,
        protocol(),
        metadata(
            schema(
                field("id", "integer"),
                field("v", "void"),
                field("s", EMPTY_STRUCT),
                field("t", schema(field("a", "void"), field("b", "string"))))),
        add("f.parquet"));

    DeltaSnapshot snapshot = table.latest();
    assertThat(snapshot.columns())
        .extracting(DeltaColumn::spec)
        .containsExactly(
            ColumnSpec.of("id", Scalar.INT32),
            ColumnSpec.nested("t", Nested.STRUCT, List.of(ColumnSpec.of("b", Scalar.VARCHAR))));
    assertThat(snapshot.leftOut())
        .extracting(LeftOutColumn::text)
        .containsExactly(
            "column 'v' is left out: it is of type void, which holds nothing but NULL",
            "column 's' is left out: it is a struct without fields that could be read",
            "column 't.a' is left out: it is of type void, which holds nothing but NULL");
    assertThat(table.liveFiles()).hasSize(1);
  }

  @Test
  void listOfVoidIsLeftOutAltogether() {
    String list = "{\"type\":\"array\",\"elementType\":\"void\",\"containsNull\":true}";
    table.commit(0, protocol(), metadata(schema(field("id", "integer"), field("l", list))));

    assertThat(table.latest().columns()).extracting(DeltaColumn::name).containsExactly("id");
    assertThat(table.latest().leftOut())
        .extracting(LeftOutColumn::path)
        .containsExactly(List.of("l", "element"), List.of("l"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"variant", "interval year", "geometry", "decimal(39,2)", "object"})
  void typeThatCannotBeCarriedOverIsRefusedByColumn(String type) {
    table.commit(0, protocol(), metadata(schema(field("s", schema(field("odd", type))))));

    assertRefused("column 's.odd' of type %s cannot be copied".formatted(type));
  }

  @Test
  void userDefinedTypeIsRefusedByColumn() {
    table.commit(0, protocol(), metadata(schema(field("u", "{\"type\":\"udt\",\"class\":\"X\"}"))));

    assertRefused("column 'u' of type udt cannot be copied");
  }

  @Test
  void tableOfNothingButVoidIsRefused() {
    table.commit(0, protocol(), metadata(schema(field("v", "void"))));

    assertRefused("no column is left: column 'v' is left out");
  }

  @Test
  void partitionColumnThatIsNotInTheSchemaIsRefused() {
    table.commit(0, protocol(), metadata(schema(field("id", "integer")), "p"));

    assertRefused("it lacks the partition column 'p'");
  }

  @Test
  void formatsOtherThanParquetAreRefused() {
    table.commit(
        0, protocol(), metadata(schema(field("id", "integer"))).replace("\"parquet\"", "\"orc\""));

    assertRefused("its files are of format 'orc'");
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(table::latest)
        .isInstanceOfSatisfying(
            DeltaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNSUPPORTED_COLUMN))
        .hasMessageStartingWith(table.store().location().uri() + ": ")
        .hasMessageContaining(reason);
  }
}
