package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import dev.sluice.activities.storage.StubS3.Request;
import dev.sluice.activities.storage.StubS3.Response;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the stub endpoint holds, and the protocol over it: keys are {@code bucket/key}. */
final class StubBuckets {

  private static final long LARGEST_SINGLE_COPY = 5L << 30;
  private static final long SMALLEST_PART = 5L << 20;
  private static final int MAX_PARTS = 10_000;
  private static final String MODIFIED_HTTP = "Wed, 01 Jul 2026 10:00:00 GMT";
  private static final String MODIFIED_XML = "2026-07-01T10:00:00.000Z";
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");
  private static final Pattern DELETE_KEY = Pattern.compile("<Key>(.*?)</Key>", Pattern.DOTALL);

  private final Map<String, Stored> objects = new ConcurrentSkipListMap<>();
  private final Map<String, Map<Integer, Stored>> uploads = new ConcurrentHashMap<>();
  private final AtomicInteger counter = new AtomicInteger();
  private volatile boolean urlEncodedListings = true;

  /** An object or part; without content it is as large as it says and cannot be read. */
  record Stored(long sizeBytes, String content, String etag, @Nullable String range) {}

  void ignoreEncodingType() {
    urlEncodedListings = false;
  }

  void add(String bucketAndKey, String content) {
    add(bucketAndKey, content, "\"etag-" + counter.incrementAndGet() + "\"");
  }

  void add(String bucketAndKey, String content, String etag) {
    objects.put(bucketAndKey, new Stored(content.length(), content, etag, null));
  }

  void addSized(String bucketAndKey, long sizeBytes) {
    objects.put(bucketAndKey, new Stored(sizeBytes, "", "\"sized\"", null));
  }

  Map<String, Stored> objects() {
    return objects;
  }

  /** Multipart uploads neither completed nor aborted, with their parts. */
  Map<String, Map<Integer, Stored>> openUploads() {
    return uploads;
  }

  Response answer(Request request) {
    return switch (request.method()) {
      case "GET" -> request.key().isEmpty() ? list(request) : get(request);
      case "HEAD" -> head(request);
      case "PUT" -> put(request);
      case "POST" -> post(request);
      case "DELETE" -> delete(request);
      default -> Response.error(405, "MethodNotAllowed", request.method());
    };
  }

  private static String path(Request request) {
    return request.bucket() + "/" + request.key();
  }

  private Response get(Request request) {
    String uploadId = request.query("uploadId");
    if (uploadId != null) {
      return uploads.containsKey(uploadId)
          ? Response.of(200, "<ListPartsResult/>")
          : Response.error(404, "NoSuchUpload", "no such upload");
    }
    Stored stored = objects.get(path(request));
    if (stored == null) {
      return Response.error(404, "NoSuchKey", "no such key");
    }
    byte[] content = stored.content().getBytes(ISO_8859_1);
    String range = request.header("Range");
    if (range == null) {
      return new Response(200, described(stored), content);
    }
    Matcher parsed = RANGE.matcher(range);
    if (!parsed.matches()) {
      return Response.error(400, "InvalidArgument", range);
    }
    int size = content.length;
    int from =
        parsed.group(1).isEmpty()
            ? Math.max(0, size - Integer.parseInt(parsed.group(2)))
            : Integer.parseInt(parsed.group(1));
    int to =
        parsed.group(1).isEmpty() || parsed.group(2).isEmpty()
            ? size
            : Math.min(size, Integer.parseInt(parsed.group(2)) + 1);
    if (from >= size) {
      return Response.error(416, "InvalidRange", "not satisfiable");
    }
    byte[] part = Arrays.copyOfRange(content, from, to);
    return new Response(206, described(stored), part)
        .with("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, size));
  }

  private Response head(Request request) {
    Stored stored = objects.get(path(request));
    if (stored == null) {
      return Response.of(404, "");
    }
    return new Response(200, described(stored), new byte[0])
        .with("Content-Length", Long.toString(stored.sizeBytes()));
  }

  private static Headers described(Stored stored) {
    Headers headers = new Headers();
    headers.set("ETag", stored.etag());
    headers.set("Last-Modified", MODIFIED_HTTP);
    return headers;
  }

  private Response put(Request request) {
    if (request.key().isEmpty()) {
      return Response.of(200, "");
    }
    String source = request.header("x-amz-copy-source");
    Stored stored;
    if (source == null) {
      stored = new Stored(request.body().length(), request.body(), newEtag(), null);
    } else {
      // The harsh way: a plus sign that was not encoded is a blank.
      String path = URLDecoder.decode(source, UTF_8);
      Stored original = objects.get(path.startsWith("/") ? path.substring(1) : path);
      if (original == null) {
        return Response.error(404, "NoSuchKey", "no source " + path);
      }
      String expected = request.header("x-amz-copy-source-if-match");
      if (expected != null && !expected.equals(original.etag())) {
        return Response.error(412, "PreconditionFailed", "the source has another ETag");
      }
      String range = request.header("x-amz-copy-source-range");
      if (range == null && original.sizeBytes() > LARGEST_SINGLE_COPY) {
        return Response.error(400, "InvalidRequest", "the source is larger than 5 GiB");
      }
      stored = range == null ? original : cut(original, range);
    }
    String uploadId = request.query("uploadId");
    if (uploadId == null) {
      objects.put(path(request), new Stored(stored.sizeBytes(), stored.content(), newEtag(), null));
    } else {
      int number = Integer.parseInt(request.requiredQuery("partNumber"));
      Map<Integer, Stored> parts = uploads.get(uploadId);
      if (parts == null) {
        return Response.error(404, "NoSuchUpload", "no such upload");
      }
      if (number < 1 || number > MAX_PARTS) {
        return Response.error(400, "InvalidArgument", "part number " + number);
      }
      synchronized (parts) {
        parts.put(number, stored);
      }
    }
    String etag = "\"part\"";
    return source == null
        ? Response.of(200, "").with("ETag", etag)
        : Response.of(
            200,
            "<CopyResult><ETag>%s</ETag><LastModified>%s</LastModified></CopyResult>"
                .formatted(etag.replace("\"", "&quot;"), MODIFIED_XML));
  }

  private static Stored cut(Stored original, String range) {
    Matcher parsed = RANGE.matcher(range);
    if (!parsed.matches()) {
      throw new IllegalStateException(range);
    }
    long from = Long.parseLong(parsed.group(1));
    long to = Long.parseLong(parsed.group(2)) + 1;
    if (to > original.sizeBytes()) {
      throw new IllegalStateException("range behind the end: " + range);
    }
    String content =
        original.content().isEmpty()
            ? ""
            : original.content().substring(Math.toIntExact(from), Math.toIntExact(to));
    return new Stored(to - from, content, original.etag(), range);
  }

  private Response post(Request request) {
    if (request.hasQuery("delete")) {
      return deleteMany(request);
    }
    String uploadId = request.query("uploadId");
    if (uploadId == null) {
      String created = "upload-" + counter.incrementAndGet();
      uploads.put(created, new TreeMap<>());
      return Response.of(
          200,
          "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>"
              .formatted(created));
    }
    return complete(request, uploadId);
  }

  private Response complete(Request request, String uploadId) {
    Map<Integer, Stored> parts = uploads.get(uploadId);
    if (parts == null) {
      return Response.error(404, "NoSuchUpload", "no such upload");
    }
    List<Stored> ordered = List.copyOf(parts.values());
    for (Stored part : ordered.subList(0, ordered.size() - 1)) {
      if (part.sizeBytes() < SMALLEST_PART) {
        return Response.error(400, "EntityTooSmall", "a part is too small");
      }
    }
    String etag = "\"whole-" + ordered.size() + "\"";
    objects.put(
        path(request),
        new Stored(
            ordered.stream().mapToLong(Stored::sizeBytes).sum(),
            ordered.stream().map(Stored::content).collect(Collectors.joining()),
            etag,
            ordered.stream().map(Stored::range).collect(Collectors.joining(","))));
    uploads.remove(uploadId);
    return Response.of(
        200,
        "<CompleteMultipartUploadResult><ETag>%s</ETag></CompleteMultipartUploadResult>"
            .formatted(etag.replace("\"", "&quot;")));
  }

  private Response delete(Request request) {
    String uploadId = request.query("uploadId");
    if (uploadId != null) {
      return uploads.remove(uploadId) == null
          ? Response.error(404, "NoSuchUpload", "no such upload")
          : Response.of(204, "");
    }
    objects.remove(path(request));
    return Response.of(204, "");
  }

  private Response deleteMany(Request request) {
    StringBuilder answer = new StringBuilder("<DeleteResult>");
    for (String key : deletedKeys(request)) {
      objects.remove(request.bucket() + "/" + key);
      answer.append("<Deleted><Key>").append(xml(key)).append("</Key></Deleted>");
    }
    return Response.of(200, answer.append("</DeleteResult>").toString());
  }

  /** The keys that a multi-object delete names. */
  static List<String> deletedKeys(Request request) {
    List<String> keys = new ArrayList<>();
    Matcher matcher = DELETE_KEY.matcher(new String(request.body().getBytes(ISO_8859_1), UTF_8));
    while (matcher.find()) {
      keys.add(matcher.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
    }
    return keys;
  }

  /** What the Content-MD5 of this body has to be. */
  static String md5(String body) {
    byte[] bytes = body.getBytes(ISO_8859_1);
    return S3ContentMd5.of(bytes, bytes.length);
  }

  private Response list(Request request) {
    boolean encoded = urlEncodedListings && "url".equals(request.query("encoding-type"));
    String prefix = request.query("prefix");
    String start = request.bucket() + "/" + (prefix == null ? "" : prefix);
    StringBuilder answer = new StringBuilder("<ListBucketResult>");
    if (encoded) {
      answer.append("<EncodingType>url</EncodingType>");
    }
    answer.append("<IsTruncated>false</IsTruncated>");
    objects.forEach(
        (path, stored) -> {
          if (path.startsWith(start)) {
            String key = path.substring(request.bucket().length() + 1);
            answer
                .append("<Contents><Key>")
                .append(encoded ? URLEncoder.encode(key, UTF_8) : xml(key))
                .append("</Key><LastModified>")
                .append(MODIFIED_XML)
                .append("</LastModified><ETag>")
                .append(xml(stored.etag()))
                .append("</ETag><Size>")
                .append(stored.sizeBytes())
                .append("</Size></Contents>");
          }
        });
    return Response.of(200, answer.append("</ListBucketResult>").toString());
  }

  private static String xml(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private String newEtag() {
    return "\"etag-%s\"".formatted(counter.incrementAndGet()).toLowerCase(Locale.ROOT);
  }
}
