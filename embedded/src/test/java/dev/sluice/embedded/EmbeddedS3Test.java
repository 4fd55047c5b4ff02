package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedS3Test {

  @Test
  void duckDbWritesAndReadsObjectsUnderAwkwardKeys() throws SQLException {
    DuckDbReferee.assumeAvailable();
    EmbeddedS3 s3 = EmbeddedS3.shared();
    String path = "s3://" + s3.newBucket("keys") + "/a=b/with blank/plus+percent%41/ü.parquet";

    try (DuckLakeSession session = DuckLakeSession.open().useS3(s3)) {
      session.execute("COPY (SELECT 42 AS answer) TO '" + path + "'");

      assertThat(session.queryText("SELECT answer FROM read_parquet('" + path + "')"))
          .containsExactly(List.of("42"));
    }
  }

  @Test
  void callsAreCountedPerOperationAndCanBeSlowedDown() throws SQLException {
    DuckDbReferee.assumeAvailable();
    try (EmbeddedS3 s3 = EmbeddedS3.start();
        DuckLakeSession session = DuckLakeSession.open().useS3(s3)) {
      String path = "s3://" + s3.newBucket("counted") + "/x.parquet";
      session.execute("COPY (SELECT 1 AS id) TO '" + path + "'");
      s3.resetCalls();
      Duration delay = Duration.ofMillis(150);
      s3.latency(delay);

      long before = System.nanoTime();
      session.queryText("FROM read_parquet('" + path + "')");

      assertThat(s3.calls()).containsKey("getBlob");
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(delay);
    }
  }

  @Test
  void aRequestWithoutSignatureIsRefused() throws IOException, InterruptedException {
    EmbeddedS3 s3 = EmbeddedS3.shared();
    URI bucket = s3.endpoint().resolve("/" + s3.newBucket("closed"));

    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(bucket).build(), HttpResponse.BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(403);
  }

  @Test
  void aKeptFolderStaysAndATemporaryOneGoes(@TempDir Path temporary) {
    Path kept = temporary.resolve("kept");
    Path gone;
    try (EmbeddedS3 first = EmbeddedS3.start(EmbeddedS3Options.defaults().keptIn(kept));
        EmbeddedS3 second = EmbeddedS3.start()) {
      first.createBucket("stays");
      gone = second.folder();
      assertThat(second.endpoint().getPort()).isNotEqualTo(first.endpoint().getPort());
    }

    assertThat(Files.isDirectory(kept.resolve("stays"))).isTrue();
    assertThat(Files.exists(gone)).isFalse();
  }

  @Test
  void aBucketIsMadeOnceAndBadNamesAreRefused() {
    EmbeddedS3 s3 = EmbeddedS3.shared();

    assertThat(s3.createBucket("twice-made")).isEqualTo(s3.createBucket("twice-made"));
    assertThatThrownBy(() -> s3.createBucket("No"))
        .isInstanceOf(EmbeddedStackException.class)
        .hasMessageContaining("bucket No: the name is refused");
  }

  @Test
  void theSecretIsNotPartOfTheOptionsText() {
    assertThat(EmbeddedS3Options.defaults().withCredentials("key", "hidden").toString())
        .contains("accessKey=key")
        .doesNotContain("hidden");
  }
}
