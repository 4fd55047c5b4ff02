package dev.sluice.worker.cli;

/** The forms in which rows can be had. */
enum RowOutput {
  TABLE,
  CSV,
  JSON,
  JSONL,
  PARQUET;

  /** How rows are printed; Parquet is written by the engine instead. */
  RowFormat format() {
    return switch (this) {
      case TABLE -> new TableRows();
      case CSV -> new CsvRows();
      case JSON -> new JsonRows();
      case JSONL -> new JsonLineRows();
      case PARQUET -> throw CommandErrors.parquetNeedsFile();
    };
  }
}
