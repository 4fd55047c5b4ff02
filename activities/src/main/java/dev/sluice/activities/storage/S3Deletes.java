package dev.sluice.activities.storage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.DeletedObject;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Deletes many objects, a thousand with each request. */
final class S3Deletes {

  /** The protocol's limit. */
  static final int BATCH_KEYS = 1_000;

  private final S3Client client;
  private final StorageLocation.S3 location;

  S3Deletes(S3Client client, StorageLocation.S3 location) {
    this.client = client;
    this.location = location;
  }

  DeleteResult delete(Collection<String> fullKeys) {
    List<String> keys = List.copyOf(new LinkedHashSet<>(fullKeys));
    List<DeleteResult.Failure> failures = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += BATCH_KEYS) {
      failures.addAll(deleteBatch(keys.subList(from, Math.min(from + BATCH_KEYS, keys.size()))));
    }
    return new DeleteResult(keys.size() - failures.size(), failures);
  }

  private List<DeleteResult.Failure> deleteBatch(List<String> keys) {
    List<ObjectIdentifier> identifiers =
        keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
    DeleteObjectsResponse response =
        S3Errors.translating(
            location.uri(),
            "deleting " + keys.size() + " objects",
            () ->
                client.deleteObjects(
                    r ->
                        r.bucket(location.bucket())
                            .delete(d -> d.objects(identifiers).quiet(false))));
    List<DeleteResult.Failure> failures = new ArrayList<>();
    Set<String> unanswered = new HashSet<>(keys);
    for (DeletedObject deleted : response.deleted()) {
      unanswered.remove(deleted.key());
    }
    for (S3Error error : response.errors()) {
      if (unanswered.remove(error.key())) {
        failures.add(
            new DeleteResult.Failure(relative(error.key()), error.code(), error.message()));
      }
    }
    for (String key : keys) {
      if (unanswered.contains(key)) {
        failures.add(
            new DeleteResult.Failure(
                relative(key), "NoAnswer", "the endpoint's answer does not mention this key"));
      }
    }
    return failures;
  }

  private String relative(String fullKey) {
    return fullKey.substring(location.prefix().length());
  }
}
