-- What the reaper needs: where a run is to be looked for, when it was, and what came of it.

-- Two Temporal namespaces may share a home database.
ALTER TABLE sluice.trigger
  ADD COLUMN namespace varchar(400) NOT NULL DEFAULT 'default',
  -- Of two runs that wrote it the one that started later counts.
  ADD COLUMN run_started_at timestamptz NOT NULL DEFAULT '-infinity',
  -- When the reaper last asked for its run; null before the first time.
  ADD COLUMN checked_at timestamptz;
ALTER TABLE sluice.trigger ALTER COLUMN namespace DROP DEFAULT;
ALTER TABLE sluice.trigger ALTER COLUMN run_started_at DROP DEFAULT;

-- What is not settled yet; small whatever the history.
CREATE INDEX trigger_open_idx ON sluice.trigger (checked_at NULLS FIRST)
  WHERE state IN ('running', 'pending');

-- lease_until is until when somebody looks after an attempt: granted at the opening, extended by
-- every reaper that finds its run open. Nothing is decided by it; it tells whether anybody is there.
ALTER TABLE sluice.source_job
  ADD COLUMN namespace varchar(400) DEFAULT 'default',
  -- When the reaper last asked for its run, and what Temporal said about it.
  ADD COLUMN checked_at timestamptz,
  ADD COLUMN check_note varchar(2000),
  -- Set when the reaper closed it, because its run had ended without doing so.
  ADD COLUMN reaped_at timestamptz,
  -- Closed while its lake could not be asked what was published: the reaper asks later.
  ADD COLUMN unreconciled boolean NOT NULL DEFAULT false;
ALTER TABLE sluice.source_job ALTER COLUMN namespace DROP DEFAULT;

DROP INDEX sluice.source_job_running_idx;
CREATE INDEX source_job_running_idx ON sluice.source_job (checked_at NULLS FIRST)
  WHERE status = 'running' OR unreconciled;

-- What one worker of many does at a time: whoever moves began_at has the turn.
CREATE TABLE sluice.duty (
  name     varchar(100) PRIMARY KEY,
  holder   varchar(400) NOT NULL,
  began_at timestamptz  NOT NULL
);

DROP VIEW sluice.source_status;

-- Latest attempt and latest completed attempt side by side: a later failure does not hide when
-- data was last applied.
CREATE VIEW sluice.source_status AS
SELECT
  known.team,
  known.schema_id,
  source.team IS NOT NULL AS configured,
  coalesce(latest.lake, name.lake) AS lake,
  coalesce(name.schema_name, latest.target_schema) AS schema_name,
  coalesce(name.table_name, latest.target_table) AS table_name,
  CASE
    WHEN latest.status IS NULL AND source.team IS NULL THEN 'not_configured'
    WHEN latest.status IS NULL THEN 'waiting'
    WHEN latest.status = 'failed' THEN 'needs_attention'
    WHEN latest.status = 'running' THEN 'backfilling'
    WHEN latest.status = 'completed' THEN 'up_to_date'
    ELSE 'waiting'
  END AS readiness,
  latest.id AS latest_id,
  completed.id AS completed_id,
  latest.status AS latest_status,
  latest.started_at AS latest_started_at,
  latest.finished_at AS latest_finished_at,
  coalesce(latest.latest_error, latest.reason) AS latest_reason,
  latest.status = 'running' AND coalesce(latest.lease_until < now(), true) AS latest_unattended,
  completed.finished_at AS last_completed_at,
  completed.snapshot_id AS last_snapshot_id,
  completed.generation AS last_generation
FROM (
    SELECT team, schema_id FROM sluice.source
    UNION SELECT team, schema_id FROM sluice.source_job
    UNION SELECT team, schema_id FROM sluice.trigger
  ) AS known
  LEFT JOIN sluice.source AS source
    ON source.team = known.team AND source.schema_id = known.schema_id
  LEFT JOIN sluice.table_name AS name
    ON name.team = known.team AND name.schema_id = known.schema_id
  LEFT JOIN LATERAL (
    SELECT * FROM sluice.source_job AS job
    WHERE job.team = known.team AND job.environment_id = known.team
      AND job.schema_id = known.schema_id
    ORDER BY job.started_at DESC, job.created_at DESC, job.opening DESC
    LIMIT 1
  ) AS latest ON true
  LEFT JOIN LATERAL (
    SELECT * FROM sluice.source_job AS job
    WHERE job.team = known.team AND job.environment_id = known.team
      AND job.schema_id = known.schema_id AND job.status = 'completed'
    ORDER BY job.finished_at DESC, job.opening DESC
    LIMIT 1
  ) AS completed ON true;
