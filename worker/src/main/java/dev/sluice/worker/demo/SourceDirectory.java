package dev.sluice.worker.demo;

import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder laid out as a producer's bucket: {@code team_<team>_<type>_<source schema
 * id>/<table>__query_<epoch>_<8 hex>/…}, or a Delta table {@code …/<table>/_delta_log/…}. A team
 * registers or copies, never both: what it has prepared folders of is registered, and Delta tables
 * beside them are copied for a team of their own, so that both ways can be looked at.
 */
final class SourceDirectory {

  private static final Pattern SOURCE =
      Pattern.compile(
          "team_([0-9]{1,18})_(.+)_([0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12})");
  private static final Pattern PREPARED =
      Pattern.compile("(.+?)__query_[0-9]+(?:_[0-9a-fA-F]{8})?");

  /** Makes the digits that end a folder's name look like others'. */
  private static final int FIRST_DIGITS = 0x10000000;

  private final List<PreparedGeneration> generations;

  private SourceDirectory(List<PreparedGeneration> generations) {
    this.generations = List.copyOf(generations);
  }

  /**
   * Reads the names in a folder.
   *
   * @throws DemoException when it cannot be read or holds no prepared folder
   */
  static SourceDirectory read(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw DemoErrors.noDirectory(directory);
    }
    List<PreparedGeneration> found = new ArrayList<>();
    List<PreparedGeneration> delta = new ArrayList<>();
    for (Path source : directoriesIn(directory)) {
      Matcher name = SOURCE.matcher(source.getFileName().toString());
      if (name.matches()) {
        found.addAll(generationsIn(source, name));
        delta.addAll(deltaTablesIn(source, name));
      }
    }
    found.addAll(apart(delta, found));
    if (found.isEmpty()) {
      throw DemoErrors.nothingPrepared(directory);
    }
    return new SourceDirectory(found);
  }

  /** The Delta tables, those of teams that register given to teams that nobody else is. */
  private static List<PreparedGeneration> apart(
      List<PreparedGeneration> delta, List<PreparedGeneration> prepared) {
    Set<Long> registering = teamsOf(prepared);
    Set<Long> taken = new HashSet<>(registering);
    taken.addAll(teamsOf(delta));
    Map<Long, Long> copying = new HashMap<>();
    return delta.stream()
        .map(
            each -> {
              long team = each.source().team();
              return registering.contains(team)
                  ? each.of(
                      each.source()
                          .copiedFor(copying.computeIfAbsent(team, same -> firstFree(taken))))
                  : each;
            })
        .toList();
  }

  private static Set<Long> teamsOf(List<PreparedGeneration> generations) {
    return generations.stream().map(each -> each.source().team()).collect(Collectors.toSet());
  }

  private static long firstFree(Set<Long> taken) {
    long team = 1;
    while (!taken.add(team)) {
      team++;
    }
    return team;
  }

  /** The same, with the source's kind spelled as its enumeration does. */
  SourceDirectory spelled(String sourceType) {
    return new SourceDirectory(
        generations.stream()
            .map(
                each ->
                    each.source().sourceType().equalsIgnoreCase(sourceType)
                        ? each.of(
                            new PreparedSource(
                                each.source().team(),
                                sourceType,
                                each.source().schemaId(),
                                each.source().table(),
                                each.source().path()))
                        : each)
            .toList());
  }

  /** The same, with so many further generations of every source, made of those it has in turn. */
  SourceDirectory continued(int further) {
    List<PreparedGeneration> all = new ArrayList<>(generations);
    for (PreparedSource source : sources()) {
      List<PreparedGeneration> own =
          generations.stream()
              .filter(each -> each.source().equals(source))
              .sorted(Comparator.comparingLong(each -> each.order().value()))
              .toList();
      long last = own.getLast().order().value();
      for (int number = 1; number <= further; number++) {
        PreparedGeneration like = own.get((number - 1) % own.size());
        String folder =
            "%s__query_%d_%08x".formatted(source.table(), last + number, FIRST_DIGITS + number);
        all.add(
            new PreparedGeneration(
                source, folder, ProducerOrder.ofFolder(folder), like.directory()));
      }
    }
    return new SourceDirectory(all);
  }

  /** The same without Delta tables. */
  SourceDirectory registered() {
    return new SourceDirectory(generations.stream().filter(each -> !each.isDelta()).toList());
  }

  /** The sources, each once. */
  List<PreparedSource> sources() {
    return generations.stream().map(PreparedGeneration::source).distinct().toList();
  }

  /**
   * What to import, one import after the other: the first brings the oldest generation of every
   * table, the next one the second oldest of those that have one, and so on.
   */
  List<List<PreparedGeneration>> imports() {
    Map<PreparedSource, List<PreparedGeneration>> bySource = new LinkedHashMap<>();
    for (PreparedGeneration generation : generations) {
      bySource.computeIfAbsent(generation.source(), source -> new ArrayList<>()).add(generation);
    }
    List<List<PreparedGeneration>> rounds = new ArrayList<>();
    for (List<PreparedGeneration> ofSource : bySource.values()) {
      ofSource.sort(Comparator.comparingLong(each -> each.order().value()));
      for (int round = 0; round < ofSource.size(); round++) {
        if (rounds.size() <= round) {
          rounds.add(new ArrayList<>());
        }
        rounds.get(round).add(ofSource.get(round));
      }
    }
    return rounds.stream().map(List::copyOf).toList();
  }

  private static List<PreparedGeneration> generationsIn(Path folder, Matcher name) {
    List<PreparedGeneration> found = new ArrayList<>();
    for (Path prepared : directoriesIn(folder)) {
      String bare = prepared.getFileName().toString();
      Matcher parts = PREPARED.matcher(bare);
      if (parts.matches()) {
        PreparedSource source = source(name, parts.group(1), WorkflowPath.REGISTER);
        found.add(new PreparedGeneration(source, bare, ProducerOrder.ofFolder(bare), prepared));
      }
    }
    return found;
  }

  private static PreparedSource source(Matcher name, String table, WorkflowPath path) {
    return new PreparedSource(
        Long.parseLong(name.group(1)), name.group(2), name.group(3).replace('_', '-'), table, path);
  }

  /** Delta tables, each at the versions that can be copied. */
  private static List<PreparedGeneration> deltaTablesIn(Path folder, Matcher name) {
    List<PreparedGeneration> found = new ArrayList<>();
    for (Path table : directoriesIn(folder)) {
      Path log = table.resolve(DeltaVersions.LOG);
      if (Files.isDirectory(log)) {
        String bare = table.getFileName().toString();
        for (long version : DeltaVersions.of(table)) {
          found.add(
              new PreparedGeneration(
                  source(name, bare, WorkflowPath.COPY),
                  bare,
                  ProducerOrder.deltaVersion(version),
                  table));
        }
      }
    }
    return found;
  }

  private static List<Path> directoriesIn(Path directory) {
    try (Stream<Path> children = Files.list(directory)) {
      return children.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw DemoErrors.unreadable(directory, e);
    }
  }
}
