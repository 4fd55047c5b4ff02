-- What Sluice itself keeps beside a lake, written in the catalog commit's own transaction.
-- lake = name of the metadata schema inside this database: two lakes can share it.
-- Plain types only: jOOQ's DDLDatabase reads this file.

CREATE SCHEMA IF NOT EXISTS sluice;

CREATE TABLE sluice.commit_log (
  lake varchar NOT NULL,
  idempotency_key varchar NOT NULL,
  snapshot_id bigint NOT NULL,
  committed_at timestamp with time zone NOT NULL,
  PRIMARY KEY (lake, idempotency_key)
);

-- Whose a snapshot is: asked for every file when a publication looks for foreign content.
CREATE INDEX commit_log_snapshot_idx ON sluice.commit_log (lake, snapshot_id);

-- The truth about what is live: of a target's rows, the one with the highest snapshot. Earlier
-- rows are the history that generations and rollback read.
CREATE TABLE sluice.publication (
  lake varchar NOT NULL,
  schema_name varchar NOT NULL,
  table_name varchar NOT NULL,
  snapshot_id bigint NOT NULL,
  table_id bigint NOT NULL,
  path varchar NOT NULL,
  team bigint NOT NULL,
  source_schema_id varchar NOT NULL,
  source_job_id varchar NOT NULL,
  generation varchar NOT NULL,
  order_kind varchar NOT NULL,
  order_value bigint NOT NULL,
  attempt_id varchar NOT NULL,
  attempt_number integer NOT NULL,
  row_count bigint NOT NULL,
  file_count bigint NOT NULL,
  byte_count bigint NOT NULL,
  published_at timestamp with time zone NOT NULL,
  PRIMARY KEY (lake, schema_name, table_name, snapshot_id)
);

CREATE INDEX publication_attempt_idx
  ON sluice.publication (lake, team, source_schema_id, attempt_id);

-- The newest order ever published to a target, and the one attempt that may publish next.
-- attempt_id is null when the holder was revoked; opening is the highest ever seen, so an attempt
-- that was opened earlier cannot take the fence back.
CREATE TABLE sluice.fence (
  lake varchar NOT NULL,
  schema_name varchar NOT NULL,
  table_name varchar NOT NULL,
  opening bigint NOT NULL,
  attempt_id varchar,
  attempt_number integer,
  order_kind varchar,
  order_value bigint,
  generation varchar,
  reason varchar,
  advanced_at timestamp with time zone NOT NULL,
  PRIMARY KEY (lake, schema_name, table_name)
);

-- A generation's file list, shared by all attempts to bring it in.
CREATE TABLE sluice.landing (
  lake varchar NOT NULL,
  landing_id varchar NOT NULL,
  team bigint NOT NULL,
  source_schema_id varchar NOT NULL,
  generation varchar NOT NULL,
  schema_name varchar NOT NULL,
  table_name varchar NOT NULL,
  state varchar NOT NULL,
  reason varchar,
  content varchar,
  listed_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (lake, landing_id)
);

-- Ledger of landed objects. column_stats is the text of whoever inspected the file: partition
-- values and statistics; what all files share stands in the landing's content.
CREATE TABLE sluice.landing_file (
  lake varchar NOT NULL,
  landing_id varchar NOT NULL,
  source_key varchar NOT NULL,
  size_bytes bigint NOT NULL,
  checksum varchar,
  modified_at timestamp with time zone,
  landed_path varchar NOT NULL,
  state varchar NOT NULL,
  record_count bigint,
  footer_size bigint,
  column_stats varchar,
  PRIMARY KEY (lake, landing_id, source_key)
);

-- Named pins and reader leases that hold snapshots; expires_at is null for a pin without an end.
CREATE TABLE sluice.pin (
  lake varchar NOT NULL,
  pin_name varchar NOT NULL,
  snapshot_id bigint NOT NULL,
  holder varchar NOT NULL,
  reason varchar NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  PRIMARY KEY (lake, pin_name)
);
