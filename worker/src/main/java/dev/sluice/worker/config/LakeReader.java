package dev.sluice.worker.config;

import dev.sluice.activities.storage.S3Credentials;
import dev.sluice.activities.storage.S3Settings.Addressing;
import dev.sluice.activities.storage.Secret;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.worker.config.DatabaseSettings.SslMode;
import dev.sluice.worker.config.StorageSettings.CredentialType;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads databases and lakes. What neither the file nor a {@code SLUICE_*} variable says about lake
 * {@code main} comes from the {@code DUCKLAKE_*} variables, and in development from its defaults.
 */
final class LakeReader {
  private static final String DEFAULT_REGION = "us-east-1";
  private static final String EU_REGION = "eu-central-1";

  private final Mode mode;
  private final Environment environment;

  LakeReader(Mode mode, Environment environment) {
    this.mode = mode;
    this.environment = environment;
  }

  /** Reads the lakes; without any, lake {@code main} alone. */
  Map<String, LakeSettings> lakes(Section section) {
    List<String> names = section.names().isEmpty() ? List.of(LakeSettings.MAIN) : section.names();
    Map<String, LakeSettings> lakes = new LinkedHashMap<>();
    for (String name : names) {
      Section lake = section.section(name);
      boolean main = name.equals(LakeSettings.MAIN);
      lakes.put(
          name,
          new LakeSettings(
              name,
              database(lake.section("database"), main),
              lake.text("metadata-schema").orElse(LakeSettings.DEFAULT_METADATA_SCHEMA),
              storage(lake.section("storage"), main)));
    }
    return lakes;
  }

  /** Reads the home database; it is the first lake's where nothing else is said. */
  DatabaseSettings home(Section section, DatabaseSettings lake) {
    Optional<URI> url = url(section);
    String host = url.map(URI::getHost).or(() -> section.text("host")).orElse(lake.host());
    int samePort = url.isPresent() ? DatabaseSettings.DEFAULT_PORT : lake.port();
    String port = port(section, url).orElse(Integer.toString(samePort));
    return new DatabaseSettings(
        host,
        portNumber(section, port),
        url.map(LakeReader::database).or(() -> section.text("name")).orElse(lake.name()),
        section.text("user").orElse(lake.user()),
        section.secret("password").orElse(lake.password()),
        sslMode(section, lake.sslMode()),
        section.count("pool-size", lake.poolSize()));
  }

  private DatabaseSettings database(Section section, boolean main) {
    Optional<URI> url = url(section);
    SslMode byMode = mode == Mode.DEVELOPMENT ? SslMode.PREFER : SslMode.REQUIRE;
    String port =
        port(section, url)
            .or(() -> ducklake(main, "DUCKLAKE_RDS_PORT"))
            .orElse(Integer.toString(DatabaseSettings.DEFAULT_PORT));
    return new DatabaseSettings(
        url.map(URI::getHost)
            .or(() -> section.text("host"))
            .orElseGet(
                required(section, "host", main, "DUCKLAKE_RDS_HOST", DevelopmentDefaults.HOST)),
        portNumber(section, port),
        url.map(LakeReader::database)
            .or(() -> section.text("name"))
            .or(() -> ducklake(main, "DUCKLAKE_RDS_DATABASE"))
            .orElse(DevelopmentDefaults.DATABASE),
        section
            .text("user")
            .or(() -> ducklake(main, "DUCKLAKE_RDS_USERNAME"))
            .orElse(DevelopmentDefaults.USER),
        section
            .secret("password")
            .orElseGet(
                () ->
                    Secret.of(
                        required(
                                section,
                                "password",
                                main,
                                "DUCKLAKE_RDS_PASSWORD",
                                DevelopmentDefaults.PASSWORD)
                            .get())),
        sslMode(section, byMode),
        section.count("pool-size", DatabaseSettings.DEFAULT_POOL_SIZE));
  }

  private StorageSettings storage(Section section, boolean main) {
    String text =
        section
            .text("data-path")
            .orElseGet(
                () ->
                    "s3://"
                        + required(
                                section,
                                "data-path",
                                main,
                                "DUCKLAKE_BUCKET",
                                DevelopmentDefaults.BUCKET)
                            .get()
                        + "/");
    StorageLocation dataPath;
    try {
      dataPath = StorageLocation.parse(text);
    } catch (StorageException e) {
      throw ConfigErrors.wrong(
          section.path("data-path"), text, "s3://bucket/prefix/ or file:///directory/");
    }
    URI endpoint =
        section
            .address("endpoint")
            .orElse(
                mode == Mode.DEVELOPMENT && main ? URI.create(DevelopmentDefaults.ENDPOINT) : null);
    return new StorageSettings(
        dataPath,
        section.text("region").or(() -> region(main)).orElse(DEFAULT_REGION),
        endpoint,
        section.choice(
            "addressing",
            Addressing.class,
            endpoint == null ? Addressing.VIRTUAL_HOST : Addressing.PATH),
        credentials(section.section("credentials"), main));
  }

  private S3Credentials credentials(Section section, boolean main) {
    S3Credentials fixed = fixed(section, main);
    CredentialType type =
        section.choice(
            "type",
            CredentialType.class,
            fixed == null ? CredentialType.AMBIENT : CredentialType.FIXED);
    Optional<String> role = section.text("role-arn");
    String session = section.text("session-name").orElse("sluice");
    Optional<String> externalId = section.text("external-id");
    Optional<URI> stsEndpoint = section.address("sts-endpoint");
    Duration duration =
        section.duration("session-duration").orElse(S3Credentials.AssumedRole.DEFAULT_DURATION);
    return switch (type) {
      case AMBIENT -> new S3Credentials.Ambient();
      case FIXED -> {
        if (fixed == null) {
          section.requiredText("access-key");
          throw ConfigErrors.missing(
              section.path("secret-key"), Environment.variable(section.path("secret-key")));
        }
        yield fixed;
      }
      case ASSUMED_ROLE ->
          new S3Credentials.AssumedRole(
              fixed == null ? new S3Credentials.Ambient() : fixed,
              role.orElseGet(() -> section.requiredText("role-arn")),
              session,
              externalId.orElse(null),
              duration,
              stsEndpoint.orElse(null));
    };
  }

  private @Nullable S3Credentials fixed(Section section, boolean main) {
    Optional<String> development =
        main && mode == Mode.DEVELOPMENT ? Optional.of("") : Optional.empty();
    Optional<String> access =
        section
            .text("access-key")
            .or(() -> ducklake(main, "DUCKLAKE_S3_ACCESS_KEY"))
            .or(() -> development.map(none -> DevelopmentDefaults.ACCESS_KEY));
    Optional<String> secret =
        section
            .text("secret-key")
            .or(() -> ducklake(main, "DUCKLAKE_S3_SECRET_KEY"))
            .or(() -> development.map(none -> DevelopmentDefaults.SECRET_KEY));
    Optional<Secret> token = section.secret("session-token");
    return access.isEmpty() || secret.isEmpty()
        ? null
        : new S3Credentials.Fixed(access.get(), Secret.of(secret.get()), token.orElse(null));
  }

  private Supplier<String> required(
      Section section, String key, boolean main, String variable, String inDevelopment) {
    return () -> {
      Optional<String> value = ducklake(main, variable);
      if (value.isPresent()) {
        return value.get();
      }
      if (mode == Mode.DEVELOPMENT && main) {
        return inDevelopment;
      }
      String own = Environment.variable(section.path(key));
      throw ConfigErrors.missing(section.path(key), main ? variable + " or " + own : own);
    };
  }

  private Optional<String> ducklake(boolean main, String variable) {
    return main ? environment.named(variable) : Optional.empty();
  }

  private Optional<String> region(boolean main) {
    return ducklake(main, "DUCKLAKE_BUCKET_REGION")
        .or(
            () ->
                environment
                    .named("CLOUD_DEPLOYMENT")
                    .filter(cloud -> cloud.toUpperCase(Locale.ROOT).equals("EU"))
                    .map(cloud -> EU_REGION));
  }

  private SslMode sslMode(Section section, SslMode whenAbsent) {
    SslMode sslMode = section.choice("ssl-mode", SslMode.class, whenAbsent);
    if (mode == Mode.PRODUCTION && !sslMode.encrypted()) {
      throw ConfigErrors.insecure(section.path("ssl-mode"), sslMode.word());
    }
    return sslMode;
  }

  private static Optional<URI> url(Section section) {
    Optional<String> text = section.text("url");
    for (String part : List.of("host", "port", "name")) {
      if (section.text(part).isPresent() && text.isPresent()) {
        throw ConfigErrors.exclusive(section.path("url"), section.path(part));
      }
    }
    return text.map(
        url -> {
          String plain = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
          try {
            URI address = URI.create(plain);
            if ("postgresql".equals(address.getScheme())
                && address.getHost() != null
                && address.getUserInfo() == null
                && address.getQuery() == null
                && !database(address).isEmpty()) {
              return address;
            }
          } catch (IllegalArgumentException e) {
            throw wrongUrl(section);
          }
          throw wrongUrl(section);
        });
  }

  /** Does not show the value: people put passwords into URLs. */
  private static ConfigurationException wrongUrl(Section section) {
    return ConfigErrors.wrong(
        section.path("url"),
        "something else",
        "postgresql://host:port/database without user, password and parameters");
  }

  private static String database(URI url) {
    String path = url.getPath();
    return path == null || path.length() < 2 ? "" : path.substring(1);
  }

  private static Optional<String> port(Section section, Optional<URI> url) {
    return url.filter(address -> address.getPort() > 0)
        .map(address -> Integer.toString(address.getPort()))
        .or(() -> section.text("port"));
  }

  private static int portNumber(Section section, String text) {
    try {
      int port = Integer.parseInt(text.strip());
      if (port > 0 && port < 65_536) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw ConfigErrors.wrong(section.path("port"), text, "a port from 1 to 65535");
    }
    throw ConfigErrors.wrong(section.path("port"), text, "a port from 1 to 65535");
  }
}
