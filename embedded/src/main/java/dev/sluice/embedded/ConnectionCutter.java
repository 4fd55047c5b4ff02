package dev.sluice.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy on the loopback address between clients and PostgreSQL that can lose a commit's answer, a
 * commit, or everything: how tests make outcomes unknown. It reads the wire protocol, so a cut
 * falls exactly at a COMMIT and not at a moment. Thread-safe.
 */
public final class ConnectionCutter implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ConnectionCutter.class);
  private static final long AWAIT_LIMIT_SECONDS = 60;

  private final PostgresDatabase target;
  private final ServerSocket listener;
  private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
  private final List<PlannedCommit> plans = new ArrayList<>();
  private volatile boolean refusing;

  private ConnectionCutter(PostgresDatabase target, ServerSocket listener) {
    this.target = target;
    this.listener = listener;
  }

  /**
   * Starts a proxy in front of a database.
   *
   * @throws EmbeddedStackException when it cannot listen
   */
  public static ConnectionCutter before(PostgresDatabase target) {
    try {
      ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      ConnectionCutter cutter = new ConnectionCutter(target, listener);
      Thread.ofVirtual().name("cutter-accept").start(cutter::accept);
      return cutter;
    } catch (IOException e) {
      throw EmbeddedErrors.cutterFailed(e);
    }
  }

  /** The database as clients reach it through the proxy. */
  public PostgresDatabase database() {
    return target.throughPort(listener.getLocalPort());
  }

  /**
   * Plans what happens to the next COMMIT, once; several plans are carried out in order.
   *
   * @return to wait for it and to release a held one
   */
  public PlannedCommit nextCommit(CommitFate fate) {
    return nextCommitOf("", fate);
  }

  /**
   * Plans what happens to the next COMMIT of a transaction that has sent a statement with this text
   * in it, e.g. a table's name; other commits pass.
   *
   * @param statementPart compared without regard to case; empty for any transaction
   */
  public PlannedCommit nextCommitOf(String statementPart, CommitFate fate) {
    PlannedCommit plan = new PlannedCommit(statementPart, fate);
    synchronized (plans) {
      plans.add(plan);
    }
    return plan;
  }

  /** Cuts every connection now; new ones are accepted. */
  public void cutAll() {
    List.copyOf(open).forEach(ProxiedConnection::cut);
  }

  /** Cuts every connection now and each new one at once, until {@link #acceptAgain()}. */
  public void goDown() {
    refusing = true;
    cutAll();
  }

  /** Ends {@link #goDown()}. */
  public void acceptAgain() {
    refusing = false;
  }

  /** How many connections are open through the proxy. */
  public int openConnections() {
    return open.size();
  }

  /** Stops listening and cuts every connection; held commits are lost. */
  @Override
  public void close() {
    refusing = true;
    try {
      listener.close();
    } catch (IOException e) {
      log.debug("closing the listener: {}", e.toString());
    }
    cutAll();
    synchronized (plans) {
      plans.clear();
    }
  }

  Optional<PlannedCommit> takePlan(List<String> statements) {
    synchronized (plans) {
      Optional<PlannedCommit> due =
          plans.stream().filter(plan -> plan.concerns(statements)).findFirst();
      due.ifPresent(plans::remove);
      return due;
    }
  }

  void forget(ProxiedConnection connection) {
    open.remove(connection);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          client.close();
        } else {
          Socket server = new Socket(target.host(), target.port());
          ProxiedConnection connection = new ProxiedConnection(this, client, server);
          open.add(connection);
          connection.start();
        }
      } catch (IOException e) {
        // Either the listener was closed or the server behind is down: the client sees a cut.
        log.debug("a connection was not proxied: {}", e.toString());
      }
    }
  }

  /** A plan for one COMMIT. Thread-safe. */
  public static final class PlannedCommit {

    private final String statementPart;
    private final CommitFate fate;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean underWay;

    private PlannedCommit(String statementPart, CommitFate fate) {
      this.statementPart = statementPart;
      this.fate = fate;
    }

    /**
     * Waits until the plan is carried out: the commit is held, or the connection was cut.
     *
     * @throws IllegalStateException when no such COMMIT came within a minute
     */
    public void await() throws InterruptedException {
      if (!reached.await(AWAIT_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "planned commit: none came; " + AWAIT_LIMIT_SECONDS + " s have passed; plan " + this);
      }
    }

    /** Whether the COMMIT has come: true before its sender can see anything of what follows. */
    public boolean isUnderWay() {
      return underWay;
    }

    /** Whether the plan has been carried out. */
    public boolean isReached() {
      return reached.getCount() == 0;
    }

    /** Lets a held COMMIT go on to the server; without effect on other fates. */
    public void release() {
      released.countDown();
    }

    CommitFate fate() {
      return fate;
    }

    void markUnderWay() {
      underWay = true;
    }

    void markReached() {
      reached.countDown();
    }

    void awaitRelease() throws InterruptedException {
      released.await();
    }

    private boolean concerns(List<String> statements) {
      return statements.stream()
          .anyMatch(
              statement ->
                  statement
                      .toLowerCase(Locale.ROOT)
                      .contains(statementPart.toLowerCase(Locale.ROOT)));
    }

    @Override
    public String toString() {
      return fate + (statementPart.isEmpty() ? "" : " of \"" + statementPart + "\"");
    }
  }
}
