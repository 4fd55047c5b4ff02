package dev.sluice.embedded;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's way through a {@link ConnectionCutter}: two threads that copy whole protocol
 * messages and look for COMMIT, whether sent as a simple query or by the extended protocol.
 */
final class ProxiedConnection {

  private static final Logger log = LoggerFactory.getLogger(ProxiedConnection.class);
  // Request codes that come instead of a protocol version in a start-up packet.
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int CANCEL_REQUEST = 80877102;
  private static final int LENGTH_BYTES = 4;
  private static final char SIMPLE_QUERY = 'Q';
  private static final char PARSE = 'P';
  private static final char SYNC = 'S';
  private static final char READY_FOR_QUERY = 'Z';

  private final ConnectionCutter cutter;
  private final Socket client;
  private final Socket server;
  private final DataInputStream fromClient;
  private final DataInputStream fromServer;
  private final DataOutputStream toClient;
  private final DataOutputStream toServer;
  private final AtomicBoolean swallowAnswer = new AtomicBoolean();
  private final CountDownLatch answered = new CountDownLatch(1);
  // Only the client-to-server thread touches it.
  private final List<String> statements = new ArrayList<>();

  ProxiedConnection(ConnectionCutter cutter, Socket client, Socket server) throws IOException {
    this.cutter = cutter;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    this.fromClient = new DataInputStream(new BufferedInputStream(client.getInputStream()));
    this.fromServer = new DataInputStream(new BufferedInputStream(server.getInputStream()));
    this.toClient = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
    this.toServer = new DataOutputStream(new BufferedOutputStream(server.getOutputStream()));
  }

  void start() {
    Thread.ofVirtual().name("cutter-from-client").start(() -> run(this::copyRequests));
  }

  /** Closes both sides; the server rolls an open transaction back. */
  void cut() {
    cutter.forget(this);
    closeQuietly(client);
    closeQuietly(server);
    answered.countDown();
  }

  private void run(Copying copying) {
    try {
      copying.run();
    } catch (IOException e) {
      log.debug("a proxied connection ended: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      cut();
    }
  }

  private void copyRequests() throws IOException, InterruptedException {
    startUp();
    Thread.ofVirtual().name("cutter-from-server").start(() -> run(this::copyAnswers));
    while (true) {
      Message message = Message.read(fromClient);
      Optional<String> sql = message.sql();
      sql.ifPresent(statements::add);
      if (sql.isPresent() && isCommit(sql.get())) {
        Optional<ConnectionCutter.PlannedCommit> plan = cutter.takePlan(statements);
        statements.clear();
        if (plan.isPresent()) {
          if (!carryOut(plan.get(), message)) {
            return;
          }
          continue;
        }
      }
      message.write(toServer);
      flushWhenIdle();
    }
  }

  /** Whether the connection goes on. */
  private boolean carryOut(ConnectionCutter.PlannedCommit plan, Message commit)
      throws IOException, InterruptedException {
    plan.markUnderWay();
    return switch (plan.fate()) {
      case CUT_BEFORE -> {
        cut();
        plan.markReached();
        yield false;
      }
      case CUT_AFTER -> {
        swallowAnswer.set(true);
        sendThroughSync(commit);
        // Only the server's answer proves that the commit was carried out.
        answered.await();
        cut();
        plan.markReached();
        yield false;
      }
      case HOLD -> {
        plan.markReached();
        plan.awaitRelease();
        sendThroughSync(commit);
        yield true;
      }
    };
  }

  private void sendThroughSync(Message commit) throws IOException {
    commit.write(toServer);
    Message last = commit;
    while (last.type() != SIMPLE_QUERY && last.type() != SYNC) {
      last = Message.read(fromClient);
      last.write(toServer);
    }
    toServer.flush();
  }

  private void copyAnswers() throws IOException {
    while (true) {
      Message message = Message.read(fromServer);
      if (swallowAnswer.get()) {
        if (message.type() == READY_FOR_QUERY) {
          answered.countDown();
        }
      } else {
        message.write(toClient);
        if (fromServer.available() == 0) {
          toClient.flush();
        }
      }
    }
  }

  private void flushWhenIdle() throws IOException {
    if (fromClient.available() == 0) {
      toServer.flush();
    }
  }

  /** The packets before the first typed message: encryption is declined, the rest passes. */
  private void startUp() throws IOException {
    while (true) {
      int length = fromClient.readInt();
      int code = fromClient.readInt();
      byte[] rest = fromClient.readNBytes(length - 2 * LENGTH_BYTES);
      if (code == SSL_REQUEST || code == GSS_REQUEST) {
        toClient.writeByte('N');
        toClient.flush();
      } else {
        toServer.writeInt(length);
        toServer.writeInt(code);
        toServer.write(rest);
        toServer.flush();
        if (code == CANCEL_REQUEST) {
          throw new IOException("a cancel request ends with its packet");
        }
        return;
      }
    }
  }

  /** Whether the last statement of the text is a COMMIT; clients may send several at once. */
  private static boolean isCommit(String sql) {
    String text = sql.strip().toUpperCase(Locale.ROOT);
    while (text.endsWith(";")) {
      text = text.substring(0, text.length() - 1).strip();
    }
    String last = text.substring(text.lastIndexOf(';') + 1).strip();
    return last.equals("COMMIT") || last.startsWith("COMMIT ") || last.equals("END");
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("closing a socket: {}", e.toString());
    }
  }

  private interface Copying {
    void run() throws IOException, InterruptedException;
  }

  private static final class Message {

    private final char type;
    private final byte[] body;

    private Message(char type, byte[] body) {
      this.type = type;
      this.body = body;
    }

    char type() {
      return type;
    }

    static Message read(DataInputStream in) throws IOException {
      char type = (char) in.readUnsignedByte();
      int length = in.readInt();
      byte[] body = in.readNBytes(length - LENGTH_BYTES);
      if (body.length != length - LENGTH_BYTES) {
        throw new IOException("the stream ended within a message");
      }
      return new Message(type, body);
    }

    void write(DataOutputStream out) throws IOException {
      out.writeByte(type);
      out.writeInt(body.length + LENGTH_BYTES);
      out.write(body);
    }

    /** The SQL text of a simple query or of a Parse message. */
    Optional<String> sql() {
      return switch (type) {
        case SIMPLE_QUERY -> Optional.of(textFrom(0));
        case PARSE ->
            Optional.of(textFrom(textFrom(0).getBytes(StandardCharsets.UTF_8).length + 1));
        default -> Optional.empty();
      };
    }

    private String textFrom(int start) {
      int end = start;
      while (end < body.length && body[end] != 0) {
        end++;
      }
      return new String(body, start, end - start, StandardCharsets.UTF_8);
    }
  }
}
