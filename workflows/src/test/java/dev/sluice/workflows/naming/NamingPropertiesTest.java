package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;

class NamingPropertiesTest {

  @Property(tries = 300)
  void copyNamesAreFitForSqlAndAtMost63(@ForAll @StringLength(max = 90) String raw) {
    assertThat(CopyV1.identifier(raw, "data_import")).matches("[a-z][a-z0-9_]{0,62}");
  }

  @Property(tries = 300)
  void copyNamesAreStableUnlessTheCutLeftAnUnderscore(@ForAll @StringLength(max = 90) String raw) {
    String name = CopyV1.identifier(raw, "data_import");
    String expected = name.endsWith("_") ? name.substring(0, name.length() - 1) : name;
    assertThat(CopyV1.identifier(name, "data_import")).isEqualTo(expected);
  }

  @Property(tries = 300)
  void namesWithAHashAreFitForSqlAndAtMost63(@ForAll @StringLength(max = 90) String raw) {
    assertThat(NamingPolicy.COPY_V2.importTable("T", raw, "t")).matches("[a-z][a-z0-9_]{0,62}");
  }

  @Property(tries = 300)
  void longNamesWithAHashDifferWheneverTheirSourcesDo(
      @ForAll @StringLength(min = 64, max = 90) @AlphaChars String one,
      @ForAll @StringLength(min = 64, max = 90) @AlphaChars String other) {
    Assume.that(!one.equals(other));
    assertThat(NamingPolicy.COPY_V2.importTable("T", "", one))
        .isNotEqualTo(NamingPolicy.COPY_V2.importTable("T", "", other));
  }

  @Property(tries = 300)
  void legacyNamesAreAtMost63(@ForAll @StringLength(min = 1, max = 90) String raw) {
    String name = NamingPolicy.LEGACY_BATCH_V1.importTable("T", raw, "t");
    assertThat(name.codePointCount(0, name.length())).isBetween(1, 63);
  }

  @Property(tries = 300)
  void everyFolderNameHasAToken(@ForAll @StringLength(max = 60) String folder) {
    assertThat(GenerationToken.ofFolder(folder).value()).matches("[0-9A-Za-z_]+");
  }

  @Property(tries = 300)
  void jobPathsAreStable(@ForAll @StringLength(min = 1, max = 60) String jobId) {
    Assume.that(!jobId.isEmpty());
    String segment = JobPath.segment(jobId);
    assertThat(JobPath.segment(segment)).isEqualTo(segment);
  }
}
