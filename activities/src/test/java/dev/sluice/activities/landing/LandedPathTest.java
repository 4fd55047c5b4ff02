package dev.sluice.activities.landing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LandedPathTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          part-0.parquet,                        part-0.parquet
          _ph_partition_key=2013-06/p.parquet,   _ph_partition_key=2013-06/p.parquet
          p=A%2FB/f.parquet,                     p=A%2FB/f.parquet
          p=a b/f.parquet,                       p=a%20b/f.parquet
          p=a%20b/f.parquet,                     p=a%20b/f.parquet
          p=a+b/f.parquet,                       p=a%2Bb/f.parquet
          p=100%/f.parquet,                      p=100%25/f.parquet
          p=x=y/f.parquet,                       p=x%3Dy/f.parquet
          p=q?x#y/f.parquet,                     p=q%3Fx%23y/f.parquet
          p=日本 語/f.parquet,                    p=%E6%97%A5%E6%9C%AC%20%E8%AA%9E/f.parquet
          p=/f.parquet,                          p=/f.parquet
          p=NULL/f.parquet,                      p=NULL/f.parquet
          p=nul%6C/f.parquet,                    p=%6Eull/f.parquet
          p=%4EULL/f.parquet,                    p=%4EULL/f.parquet
          a b/part=0.parquet,                    a%20b/part%3D0.parquet
          a%20b/f.parquet,                       a%2520b/f.parquet
          """)
  void keepsEveryValueInASpellingThatAllReadersResolveAlike(String source, String landed) {
    assertThat(LandedPath.of(source)).isEqualTo(landed);
  }

  @ParameterizedTest
  @CsvSource({"a b/f.parquet,a%20b/f.parquet", "q/x y.parquet,q/x%20y.parquet"})
  void differentNamesOfPlainFoldersStayDifferent(String one, String other) {
    assertThat(LandedPath.of(one)).isNotEqualTo(LandedPath.of(other));
  }
}
