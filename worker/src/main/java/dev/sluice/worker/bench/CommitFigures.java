package dev.sluice.worker.bench;

import dev.sluice.worker.bench.WriterCrowd.Outcome;

/** What the writers of a commit benchmark did. */
record CommitFigures(
    Outcome appends,
    Outcome inserts,
    Outcome publications,
    Outcome replacements,
    Outcome oneTable,
    Outcome oneTableReplacements) {}
