package dev.sluice.catalog.commit;

import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.TableDraft.Spec;
import dev.sluice.catalog.commit.TableDraft.SpecKey;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Applies the changes of a request, in order, to the draft. Writes nothing. */
final class ChangeApplier {

  private final LakeDraft lake;
  private final IdAllocator ids;
  private final LiveContent live;
  private final AttributeChanges attributes;

  ChangeApplier(LakeDraft lake, IdAllocator ids, LiveContent live, NullEvidence nulls) {
    this.attributes = new AttributeChanges(lake, nulls);
    this.lake = lake;
    this.ids = ids;
    this.live = live;
  }

  void apply(Change change) {
    switch (change) {
      case Change.CreateSchema create -> createSchema(create);
      case Change.DropSchema drop -> dropSchema(drop.name());
      case Change.CreateTable create -> createTable(create);
      case Change.RenameTable rename -> renameTable(rename);
      case Change.DropTable drop -> lake.require(drop.table()).drop();
      case Change.AddColumn add -> addColumn(add);
      case Change.DropColumn drop -> {
        TableDraft table = lake.require(drop.table());
        dropColumn(table, table.columns().require(drop.column()));
      }
      case Change.RenameColumn rename -> {
        TableDraft table = lake.require(rename.table());
        ColumnRow column = table.columns().require(rename.column());
        AttributeChanges.followRename(table, column, rename.newName());
        table.columns().rename(column, rename.newName());
      }
      case Change.RetypeColumn retype -> retypeColumn(retype);
      case Change.SetPartitioning set -> partition(lake.require(set.table()), set.keys());
      case Change.SetSortOrder set -> attributes.setSortOrder(set);
      case Change.SetComment set -> attributes.setComment(set);
      case Change.SetDefault set -> attributes.setDefault(set);
      case Change.SetNulls set -> attributes.setNulls(set);
      case Change.AddDataFiles add -> addDataFiles(add);
      case Change.AddDeleteFiles add -> addDeleteFiles(add);
      case Change.DeleteInCatalog delete -> {
        TableDraft table = lake.require(delete.table());
        live.requireInlinedDeletes(table, delete.deletes());
        table.inlinedDeletes().addAll(delete.deletes());
      }
      case Change.EndDataFiles end -> {
        TableDraft table = lake.require(end.table());
        live.requireLiveFiles(table, end.dataFileIds());
        table.endedFiles().addAll(end.dataFileIds());
      }
      case Change.EndInlinedRows end -> {
        TableDraft table = lake.require(end.table());
        live.requireLiveRows(table, end.rowIds());
        table.endedInlinedRows().addAll(end.rowIds());
      }
      case Change.RequireUnchanged unchanged -> lake.require(unchanged.table());
      case Change.ReplaceContent replace -> replaceContent(replace);
    }
  }

  private void createSchema(Change.CreateSchema create) {
    if (lake.findSchema(create.name()).isEmpty()) {
      lake.createSchema(create.name());
    } else if (create.existing() == IfExists.REFUSE) {
      throw CatalogErrors.invalid(
          "schema " + create.name(),
          "cannot be made",
          "there is a schema of that name",
          "choose another name, or use the one that is there");
    }
  }

  private void dropSchema(String name) {
    SchemaDraft schema = lake.requireSchema(name);
    lake.contentOf(schema)
        .ifPresent(
            content -> {
              throw CatalogErrors.invalid(
                  "schema " + name,
                  "cannot be dropped",
                  "it still holds " + content,
                  "drop its tables, views and macros first");
            });
    schema.drop();
  }

  private void createTable(Change.CreateTable create) {
    if (create.existing() == IfExists.KEEP && lake.findTable(create.name()).isPresent()) {
      return;
    }
    lake.requireFree(create.name());
    TableDraft table = lake.createTable(create.name(), create.columns());
    if (!create.partitioning().isEmpty()) {
      partition(table, create.partitioning());
    }
  }

  private void renameTable(Change.RenameTable rename) {
    TableDraft table = lake.require(rename.table());
    Names.requireObject("table", rename.newName());
    if (!Names.same(table.name(), rename.newName())) {
      lake.requireFree(new TableName(table.identity().schemaName(), rename.newName()));
    }
    table.rename(rename.newName());
  }

  private void addColumn(Change.AddColumn add) {
    TableColumns columns = lake.require(add.table()).columns();
    Long parent = add.parent().isEmpty() ? null : columns.require(add.parent()).id();
    columns.requireStruct(parent, "column %s cannot be added".formatted(add.column().name()));
    columns.add(parent, add.column());
  }

  static void dropColumn(TableDraft table, ColumnRow column) {
    boolean isKey = table.spec().keys().stream().anyMatch(key -> key.columnId() == column.id());
    boolean isLast = table.columns().children(column.parent()).size() == 1;
    if (isKey || isLast) {
      throw CatalogErrors.invalid(
          "table " + table.qualifiedName(),
          "column %s cannot be dropped".formatted(column.name()),
          isKey ? "the table is partitioned by it" : "it is the last one at its level",
          isKey ? "change the partitioning first" : "drop what holds it instead");
    }
    table
        .columns()
        .requireStruct(column.parent(), "column %s cannot be dropped".formatted(column.name()));
    AttributeChanges.requireUnsorted(table, column);
    table.columns().drop(column);
  }

  private void retypeColumn(Change.RetypeColumn retype) {
    TableDraft table = lake.require(retype.table());
    ColumnRow column = table.columns().require(retype.column());
    if (column.type().equals(retype.newType())) {
      return;
    }
    if (!TypePromotion.allowed(column.type(), retype.newType())) {
      throw CatalogErrors.invalid(
          "table " + table.qualifiedName(),
          "column %s cannot become %s".formatted(column.name(), retype.newType().text()),
          "it is %s, and old files and bounds would lose their meaning"
              .formatted(column.type().text()),
          "widen it to a type that holds every value, or add a new column");
    }
    table.columns().retype(column, retype.newType());
  }

  private void partition(TableDraft table, List<PartitionKey> keys) {
    List<SpecKey> specKeys = new ArrayList<>();
    for (PartitionKey key : keys) {
      ColumnRow column = table.columns().require(List.of(key.column()));
      if (!column.isLeaf()) {
        throw CatalogErrors.invalid(
            "table " + table.qualifiedName(),
            "cannot be partitioned by " + key.column(),
            "it is a nested column",
            "choose a column of plain values");
      }
      PartitionKeys.requireFits(table.qualifiedName(), column, key.transform());
      SpecKey specKey = new SpecKey(column.id(), key.transform());
      PartitionKeys.requireNew(table.qualifiedName(), column, specKey, specKeys);
      specKeys.add(specKey);
    }
    table.partitionBy(new Spec(ids.catalogId(), specKeys));
  }

  private void addDataFiles(Change.AddDataFiles add) {
    TableDraft table = lake.require(add.table());
    live.requireUnowned(table, add.files());
    table.newFiles().addAll(add.files());
  }

  private void addDeleteFiles(Change.AddDeleteFiles add) {
    TableDraft table = lake.require(add.table());
    live.requireLive(table, add.files());
    table.newDeletes().addAll(add.files());
  }

  private void replaceContent(Change.ReplaceContent replace) {
    Optional<TableDraft> found = lake.findTable(replace.name());
    Long required = replace.requiredTableId();
    if (required != null && (found.isEmpty() || found.get().id() != required)) {
      throw CatalogErrors.otherTable(
          lake.lake().key(),
          "publish",
          replace.name().toString(),
          required,
          found.map(table -> "has id " + table.id()).orElse("does not exist"));
    }
    TableDraft table;
    if (found.isEmpty()) {
      if (lake.findSchema(replace.name().schema()).isEmpty()) {
        lake.createSchema(replace.name().schema());
      }
      lake.requireFree(replace.name());
      table = lake.createTable(replace.name(), replace.columns());
      if (!replace.partitioning().isEmpty()) {
        partition(table, replace.partitioning());
      }
    } else {
      table = found.get();
      table.noteReplaced(live.checkForeign(table, replace.foreign()));
      new ColumnReplacement(table, replace.policy()).apply(replace.columns());
    }
    LiveContent.Split split = live.split(table, replace.files());
    table.replaceContent(split);
  }
}
