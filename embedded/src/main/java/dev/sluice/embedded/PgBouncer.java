package dev.sluice.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pgbouncer in transaction mode before an embedded server: each transaction of a client may run
 * in another session, and nothing is reset in between. Thread-safe; ends with the JVM at the
 * latest.
 */
public final class PgBouncer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PgBouncer.class);
  private static final String UP = "process up";
  private static final long END_LIMIT_SECONDS = 10;

  private final ScratchFolder folder;
  private final Process process;
  private final int port;
  private final Thread endOfJvm;

  private PgBouncer(ScratchFolder folder, Process process, int port) {
    this.folder = folder;
    this.process = process;
    this.port = port;
    this.endOfJvm = new Thread(process::destroyForcibly, "pgbouncer-end");
    Runtime.getRuntime().addShutdownHook(endOfJvm);
  }

  /**
   * Starts one.
   *
   * @param poolSize sessions per database of the server
   * @throws EmbeddedStackException when it does not come up
   */
  public static PgBouncer before(PgBouncerProgram program, EmbeddedDatabase server, int poolSize) {
    ScratchFolder folder = ScratchFolder.create("pgbouncer");
    try {
      int port = freePort();
      Path configuration = folder.path().resolve("pgbouncer.ini");
      Files.writeString(configuration, configuration(server, poolSize, port));
      Process process = program.process(configuration).start();
      PgBouncer started = new PgBouncer(folder, process, port);
      started.awaitStart();
      return started;
    } catch (IOException e) {
      folder.close();
      throw EmbeddedErrors.pgBouncerNotStarted(program.toString(), e.toString());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private static String configuration(EmbeddedDatabase server, int poolSize, int port) {
    // it refuses to run as root, and changes to another user after it has read this
    String user = "root".equals(System.getProperty("user.name")) ? "user = nobody\n" : "";
    return """
    [databases]
    * = host=%s port=%d user=%s
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = %d
    unix_socket_dir =
    auth_type = any
    pool_mode = transaction
    default_pool_size = %d
    max_client_conn = 200
    ; sent by the JDBC driver with every connection
    ignore_startup_parameters = extra_float_digits
    %s\
    """
        .formatted(server.host(), server.port(), server.user(), port, poolSize, user);
  }

  private void awaitStart() throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    String line = output.readLine();
    while (line != null && !line.contains(UP)) {
      said.append(line).append('\n');
      line = output.readLine();
    }
    if (line == null) {
      close();
      throw EmbeddedErrors.pgBouncerNotStarted("pgbouncer on port " + port, said.toString());
    }
    Thread.ofVirtual().name("pgbouncer-output").start(() -> drain(output));
  }

  private static void drain(BufferedReader output) {
    try (output) {
      output.lines().forEach(line -> log.debug("{}", line));
    } catch (IOException | UncheckedIOException ended) {
      log.trace("the process has ended", ended);
    }
  }

  /** A database of the server, through this. */
  public PostgresDatabase through(PostgresDatabase database) {
    return database.throughPort(port);
  }

  /** Ends the process. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      Runtime.getRuntime().removeShutdownHook(endOfJvm);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IllegalStateException jvmIsEnding) {
      log.trace("the JVM ends, the hook runs", jvmIsEnding);
    } finally {
      folder.close();
    }
  }
}
