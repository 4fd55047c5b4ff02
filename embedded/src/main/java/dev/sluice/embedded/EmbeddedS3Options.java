package dev.sluice.embedded;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How an embedded S3 endpoint is started.
 *
 * @param port the TCP port on the loopback address, 0 for any free one
 * @param folder where the objects are kept between runs; null for a temporary folder that is
 *     removed when the endpoint is closed
 * @param accessKey the one access key that is accepted
 * @param secretKey its secret
 */
public record EmbeddedS3Options(
    int port, @Nullable Path folder, String accessKey, String secretKey) {

  /** A free port, a temporary folder and fixed development keys. */
  public static EmbeddedS3Options defaults() {
    return new EmbeddedS3Options(0, null, "embedded-access", "embedded-secret");
  }

  /** These options with a fixed port. */
  public EmbeddedS3Options onPort(int fixedPort) {
    return new EmbeddedS3Options(fixedPort, folder, accessKey, secretKey);
  }

  /** These options with a folder that outlives the endpoint. */
  public EmbeddedS3Options keptIn(Path keptFolder) {
    return new EmbeddedS3Options(port, keptFolder, accessKey, secretKey);
  }

  /** These options with other credentials. */
  public EmbeddedS3Options withCredentials(String otherAccessKey, String otherSecretKey) {
    return new EmbeddedS3Options(port, folder, otherAccessKey, otherSecretKey);
  }

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "EmbeddedS3Options[port="
        + port
        + ", folder="
        + folder
        + ", accessKey="
        + accessKey
        + ", secretKey=***]";
  }
}
