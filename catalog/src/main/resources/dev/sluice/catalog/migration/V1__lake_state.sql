-- What Sluice itself keeps beside a lake, written in the catalog commit's own transaction.
-- lake = name of the metadata schema inside this database: two lakes can share it.

CREATE SCHEMA IF NOT EXISTS sluice;

CREATE TABLE sluice.commit_log (
  lake varchar NOT NULL,
  idempotency_key varchar NOT NULL,
  snapshot_id bigint NOT NULL,
  committed_at timestamp with time zone NOT NULL,
  PRIMARY KEY (lake, idempotency_key)
);

-- The truth about what is live: one row per target.
CREATE TABLE sluice.publication (
  lake varchar NOT NULL,
  schema_name varchar NOT NULL,
  table_name varchar NOT NULL,
  table_id bigint NOT NULL,
  generation varchar NOT NULL,
  producer_order bigint NOT NULL,
  attempt varchar NOT NULL,
  snapshot_id bigint NOT NULL,
  row_count bigint NOT NULL,
  file_count bigint NOT NULL,
  published_at timestamp with time zone NOT NULL,
  PRIMARY KEY (lake, schema_name, table_name)
);

-- The newest order ever published to a target, and the one attempt that may publish next.
CREATE TABLE sluice.fence (
  lake varchar NOT NULL,
  schema_name varchar NOT NULL,
  table_name varchar NOT NULL,
  newest_order bigint,
  attempt varchar,
  advanced_at timestamp with time zone NOT NULL,
  PRIMARY KEY (lake, schema_name, table_name)
);

-- Ledger of landed objects: one row per object of an attempt.
CREATE TABLE sluice.landing_file (
  lake varchar NOT NULL,
  attempt varchar NOT NULL,
  source_key varchar NOT NULL,
  generation varchar NOT NULL,
  size_bytes bigint NOT NULL,
  checksum varchar,
  landed_path varchar,
  record_count bigint,
  footer_size bigint,
  column_stats varchar,
  landed_at timestamp with time zone,
  PRIMARY KEY (lake, attempt, source_key)
);

-- Named pins and reader leases that hold snapshots; expires_at is null for a pin without an end.
CREATE TABLE sluice.pin (
  lake varchar NOT NULL,
  pin_name varchar NOT NULL,
  snapshot_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  PRIMARY KEY (lake, pin_name)
);
