package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint on the loopback address that keeps its objects in memory and can be made as strict,
 * faulty or large as a test needs: rules are asked before the request is served. Objects may have a
 * size without content. It checks no signatures.
 */
final class StubS3 implements AutoCloseable {

  private static final int NO_GRACE_SECONDS = 0;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Function<Request, @Nullable Response>> rules = new CopyOnWriteArrayList<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final StubBuckets buckets = new StubBuckets();

  StubS3() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  /** A request; bucket, key and header values are decoded, the body is whole. */
  record Request(
      String method, String bucket, String key, String rawQuery, Headers headers, String body) {

    boolean hasQuery(String name) {
      return query(name) != null;
    }

    /** Decoded; empty for a name without a value, null when absent. */
    @Nullable String query(String name) {
      for (String pair : rawQuery.split("&", -1)) {
        int equals = pair.indexOf('=');
        String pairName = equals < 0 ? pair : pair.substring(0, equals);
        if (pairName.equals(name)) {
          return equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), UTF_8);
        }
      }
      return null;
    }

    String requiredQuery(String name) {
      String value = query(name);
      if (value == null) {
        throw new IllegalStateException("no query parameter " + name);
      }
      return value;
    }

    @Nullable String header(String name) {
      return headers.getFirst(name);
    }
  }

  /** An answer; a HEAD answer carries the length of content that is not sent. */
  @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
  record Response(int status, Headers headers, byte[] body) {

    static Response of(int status, String body) {
      return new Response(status, new Headers(), body.getBytes(UTF_8));
    }

    static Response error(int status, String code, String message) {
      return of(
          status, "<Error><Code>%s</Code><Message>%s</Message></Error>".formatted(code, message));
    }

    Response with(String name, String value) {
      headers.set(name, value);
      return this;
    }
  }

  /** Adds a rule: it answers the request itself, or returns null to let it pass. */
  void rule(Function<Request, @Nullable Response> rule) {
    rules.add(rule);
  }

  StubBuckets buckets() {
    return buckets;
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What any other endpoint than Amazon's gets: nothing but address and key is set. */
  S3Settings settings() {
    return S3Settings.endpoint(
        endpoint(), "us-east-1", new S3Credentials.Fixed("stub", Secret.of("stub secret")));
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Request request = request(exchange);
      requests.add(request);
      Response response = answer(request);
      exchange.getResponseHeaders().putAll(response.headers());
      boolean bodyless = request.method().equals("HEAD") || response.body().length == 0;
      exchange.sendResponseHeaders(response.status(), bodyless ? -1 : response.body().length);
      if (!bodyless) {
        try (OutputStream body = exchange.getResponseBody()) {
          body.write(response.body());
        }
      }
    }
  }

  private Response answer(Request request) {
    for (Function<Request, @Nullable Response> rule : rules) {
      Response response = rule.apply(request);
      if (response != null) {
        return response;
      }
    }
    return buckets.answer(request);
  }

  private static Request request(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getRawPath().substring(1);
    int slash = path.indexOf('/');
    String bucket = slash < 0 ? path : path.substring(0, slash);
    String key = slash < 0 ? "" : path.substring(slash + 1);
    String query = exchange.getRequestURI().getRawQuery();
    byte[] body = exchange.getRequestBody().readAllBytes();
    return new Request(
        exchange.getRequestMethod(),
        bucket,
        // In a path a plus sign is a plus sign.
        URLDecoder.decode(key.replace("+", "%2B"), UTF_8),
        query == null ? "" : query,
        exchange.getRequestHeaders(),
        new String(body, ISO_8859_1));
  }

  /** Copies of the recorded requests that match. */
  List<Request> requests(Predicate<Request> filter) {
    List<Request> matching = new ArrayList<>();
    for (Request request : requests) {
      if (filter.test(request)) {
        matching.add(request);
      }
    }
    return matching;
  }

  @Override
  public void close() {
    server.stop(NO_GRACE_SECONDS);
    threads.shutdownNow();
  }
}
