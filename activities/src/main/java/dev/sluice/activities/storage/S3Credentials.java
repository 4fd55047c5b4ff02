package dev.sluice.activities.storage;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Who Sluice is towards an S3 endpoint. Text forms never show a secret. */
public sealed interface S3Credentials {

  /**
   * What the SDK finds by itself, in its own order: system properties, environment, web identity,
   * profile files, container and instance roles.
   */
  record Ambient() implements S3Credentials {}

  /**
   * A fixed key.
   *
   * @param accessKeyId not secret
   * @param secretAccessKey secret
   * @param sessionToken null for a long-lived key
   */
  record Fixed(String accessKeyId, Secret secretAccessKey, @Nullable Secret sessionToken)
      implements S3Credentials {

    /** A long-lived key. */
    public Fixed(String accessKeyId, Secret secretAccessKey) {
      this(accessKeyId, secretAccessKey, null);
    }
  }

  /**
   * A role taken on with other credentials and renewed before it ends.
   *
   * @param base who asks for the role; not itself a role
   * @param roleArn the role
   * @param sessionName shown in the account's audit trail
   * @param externalId null when the role's trust policy asks for none
   * @param duration of one session, 15 minutes to 12 hours
   * @param stsEndpoint null for the region's own
   */
  record AssumedRole(
      S3Credentials base,
      String roleArn,
      String sessionName,
      @Nullable String externalId,
      Duration duration,
      @Nullable URI stsEndpoint)
      implements S3Credentials {

    /** One hour, as the systems this one replaces used. */
    public static final Duration DEFAULT_DURATION = Duration.ofHours(1);

    /** Refuses a chain of roles. */
    public AssumedRole {
      if (base instanceof AssumedRole) {
        throw new IllegalArgumentException(
            "role " + roleArn + ": assumed from another role; give the first credentials instead");
      }
    }
  }
}
