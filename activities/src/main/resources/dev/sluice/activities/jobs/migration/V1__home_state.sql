-- What Sluice knows outside any lake: what is provisioned, every trigger, every attempt, every event.

CREATE TABLE sluice.lake (
  name             varchar(63)  PRIMARY KEY,
  -- Key of the lake's rows in its own database.
  metadata_schema  varchar(63)  NOT NULL,
  database_address text         NOT NULL,
  data_path        text         NOT NULL,
  created_at       timestamptz  NOT NULL DEFAULT now(),
  updated_at       timestamptz  NOT NULL DEFAULT now()
);

CREATE TABLE sluice.team (
  id              bigint       PRIMARY KEY,
  lake            varchar(63)  NOT NULL REFERENCES sluice.lake,
  naming_version  varchar(32)  NOT NULL CHECK (naming_version IN ('copy_v1', 'legacy_batch_v1')),
  imports_schema  varchar(63)  NOT NULL,
  modeling_schema varchar(63)  NOT NULL,
  created_at      timestamptz  NOT NULL DEFAULT now(),
  updated_at      timestamptz  NOT NULL DEFAULT now()
);

CREATE TABLE sluice.source (
  team         bigint       NOT NULL REFERENCES sluice.team,
  schema_id    varchar(100) NOT NULL,
  source_type  text         NOT NULL,
  prefix       text         NOT NULL DEFAULT '',
  source_table text         NOT NULL,
  folder       text,
  created_at   timestamptz  NOT NULL DEFAULT now(),
  updated_at   timestamptz  NOT NULL DEFAULT now(),
  PRIMARY KEY (team, schema_id)
);

-- The registry of names: one owner per table, one table per source.
CREATE TABLE sluice.table_name (
  lake           varchar(63)  NOT NULL,
  schema_name    varchar(63)  NOT NULL,
  table_name     varchar(63)  NOT NULL,
  team           bigint       NOT NULL,
  schema_id      varchar(100) NOT NULL,
  naming_version varchar(32)  NOT NULL,
  assigned_at    timestamptz  NOT NULL DEFAULT now(),
  PRIMARY KEY (lake, schema_name, table_name),
  CONSTRAINT table_name_of_source UNIQUE (team, schema_id)
);

-- Written before a trigger is acknowledged. One row per path, source and attempt id.
CREATE TABLE sluice.trigger (
  path            varchar(16)  NOT NULL,
  team            bigint       NOT NULL,
  schema_id       varchar(100) NOT NULL,
  attempt_id      varchar(500) NOT NULL,
  source_job_id   varchar(400) NOT NULL,
  generation      text         NOT NULL,
  order_kind      varchar(32)  NOT NULL,
  order_value     bigint       NOT NULL,
  source_type     text         NOT NULL,
  prefix          text,
  source_table    text         NOT NULL,
  prepared_folder text         NOT NULL,
  lake            varchar(63),
  options         text,
  state           varchar(16)  NOT NULL CHECK (state IN ('running', 'pending', 'superseded',
                    'duplicate', 'skipped', 'refused', 'completed', 'failed', 'stale')),
  reason          varchar(2000),
  workflow_id     varchar(400) NOT NULL,
  workflow_run_id varchar(400) NOT NULL,
  received_at     timestamptz  NOT NULL DEFAULT now(),
  updated_at      timestamptz  NOT NULL DEFAULT now(),
  PRIMARY KEY (path, team, schema_id, attempt_id)
);

-- The pending slot has room for one.
CREATE UNIQUE INDEX trigger_pending_slot ON sluice.trigger (path, team, schema_id)
  WHERE state = 'pending';

-- Attempts. A row is never given to another attempt, and a row that has ended keeps its outcome.
CREATE TABLE sluice.source_job (
  id              uuid         PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Grows with every opening; tells which of two attempts of a source was opened later.
  opening         bigint       GENERATED ALWAYS AS IDENTITY UNIQUE,
  team            bigint       NOT NULL,
  environment_id  bigint       NOT NULL,
  schema_id       varchar(100) NOT NULL,
  source_job_id   varchar(400) NOT NULL,
  attempt_id      varchar(500) NOT NULL,
  attempt_number  integer      NOT NULL CHECK (attempt_number >= 1),
  workflow_type   varchar(16)  NOT NULL,
  status          varchar(16)  NOT NULL
                    CHECK (status IN ('running', 'completed', 'failed', 'skipped', 'stale')),
  workflow_id     varchar(400),
  workflow_run_id varchar(400),
  started_at      timestamptz  NOT NULL,
  finished_at     timestamptz,
  latest_error    varchar(2000),
  created_by      text,
  generation      text         NOT NULL,
  order_kind      varchar(32)  NOT NULL,
  order_value     bigint       NOT NULL,
  lake            varchar(63),
  target_schema   varchar(63),
  target_table    varchar(63),
  snapshot_id     bigint,
  row_count       bigint,
  file_count      bigint,
  byte_count      bigint,
  reason          varchar(2000),
  lease_until     timestamptz,
  created_at      timestamptz  NOT NULL DEFAULT now(),
  updated_at      timestamptz  NOT NULL DEFAULT now(),
  CONSTRAINT source_job_environment CHECK (environment_id = team),
  CONSTRAINT source_job_finished CHECK ((status = 'running') = (finished_at IS NULL)),
  CONSTRAINT source_job_attempt
    UNIQUE (team, environment_id, schema_id, workflow_type, attempt_id, attempt_number)
);

CREATE INDEX source_job_latest_idx
  ON sluice.source_job (team, environment_id, schema_id, started_at DESC);
CREATE INDEX source_job_completed_idx
  ON sluice.source_job (team, environment_id, schema_id, finished_at DESC)
  WHERE status = 'completed';
CREATE INDEX source_job_running_idx ON sluice.source_job (lease_until) WHERE status = 'running';
-- A run that asks twice is answered with the number it was given.
CREATE UNIQUE INDEX source_job_opened_by
  ON sluice.source_job (team, schema_id, workflow_type, attempt_id, workflow_run_id);

-- Append-only: rows are neither changed nor removed.
CREATE TABLE sluice.source_job_event (
  id              bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at              timestamptz  NOT NULL DEFAULT now(),
  team            bigint       NOT NULL,
  schema_id       varchar(100) NOT NULL,
  path            varchar(16)  NOT NULL,
  kind            varchar(32)  NOT NULL,
  attempt_id      varchar(500),
  attempt_number  integer,
  reason          varchar(2000),
  workflow_id     varchar(400),
  workflow_run_id varchar(400),
  -- Makes a repeated call harmless; null where every call is an event of its own.
  event_key       text         UNIQUE
);

CREATE INDEX source_job_event_source_idx ON sluice.source_job_event (team, schema_id, id DESC);

-- One result per attempt and check; the last run of a check counts.
CREATE TABLE sluice.check_result (
  team           bigint       NOT NULL,
  schema_id      varchar(100) NOT NULL,
  path           varchar(16)  NOT NULL,
  attempt_id     varchar(500) NOT NULL,
  attempt_number integer      NOT NULL,
  name           text         NOT NULL,
  passed         boolean      NOT NULL,
  observed       text,
  expected       text,
  tolerance      double precision NOT NULL,
  description    text         NOT NULL,
  statement      text,
  error          varchar(2000),
  checked_at     timestamptz  NOT NULL DEFAULT now(),
  PRIMARY KEY (team, schema_id, path, attempt_id, attempt_number, name)
);

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
