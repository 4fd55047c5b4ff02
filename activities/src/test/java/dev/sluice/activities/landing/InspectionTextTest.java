package dev.sluice.activities.landing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import java.util.List;
import org.junit.jupiter.api.Test;

class InspectionTextTest {

  private static final List<ColumnSpec> COLUMNS =
      List.of(
          new ColumnSpec("id", new ColumnType.Decimal(18, 3), Nulls.FORBIDDEN, "1.000", List.of()),
          ColumnSpec.nested(
              "s",
              ColumnType.Nested.STRUCT,
              List.of(ColumnSpec.of("naïve \"x\"", ColumnType.Scalar.VARCHAR))),
          ColumnSpec.of("p", ColumnType.Scalar.VARCHAR));
  private static final List<PartitionKey> KEYS =
      List.of(PartitionKey.identity("p"), new PartitionKey("p", new PartitionTransform.Bucket(16)));

  @Test
  void factsOfFilesSurviveTheLedger() {
    InspectionText writer = new InspectionText(COLUMNS, KEYS, 2, "made from");
    InspectionText.FileFacts byName =
        new InspectionText.FileFacts(
            new FileMapping.ByName(
                List.of(
                    new MappedField("ID", "id", Origin.FILE_COLUMN, List.of()),
                    new MappedField(
                        "s",
                        "s",
                        Origin.FILE_COLUMN,
                        List.of(
                            new MappedField("x", "naïve \"x\"", Origin.FILE_COLUMN, List.of()))),
                    new MappedField("p", "p", Origin.PATH, List.of()))),
            List.of(new PartitionValue(KEYS.get(0), null), new PartitionValue(KEYS.get(1), "7")),
            List.of(
                new LeafStatistics(List.of("id"), 10, 3L, 0L, "", "z'\\\n", null, null),
                new LeafStatistics(
                    List.of("s", "naïve \"x\""), 0, null, null, null, null, true, "{}")));
    InspectionText.FileFacts byId =
        new InspectionText.FileFacts(new FileMapping.ByFieldId(), List.of(), List.of());

    String first = writer.file(byName);
    String second = writer.file(byId);
    InspectionText reader = InspectionText.parseHeading(writer.heading());

    assertThat(reader.basis()).isEqualTo("made from");

    assertThat(reader.columns()).isEqualTo(COLUMNS);
    assertThat(reader.partitioning()).isEqualTo(KEYS);
    assertThat(reader.emptyFiles()).isEqualTo(2);
    assertThat(reader.parseFile(first)).isEqualTo(byName);
    assertThat(reader.parseFile(second)).isEqualTo(byId);
  }
}
