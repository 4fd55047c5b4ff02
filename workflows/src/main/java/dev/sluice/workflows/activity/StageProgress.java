package dev.sluice.workflows.activity;

/**
 * First heartbeat detail of the long stages, read by who follows a run.
 *
 * @param filesDone files done in this stage
 * @param filesTotal files of the generation
 * @param bytesDone bytes done in this stage
 * @param bytesTotal bytes of the generation
 */
public record StageProgress(long filesDone, long filesTotal, long bytesDone, long bytesTotal) {}
