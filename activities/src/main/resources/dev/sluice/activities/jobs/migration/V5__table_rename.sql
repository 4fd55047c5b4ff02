-- Naming policies and what changes one: the rename of all tables of a team.

ALTER TABLE sluice.team DROP CONSTRAINT team_naming_version_check;
ALTER TABLE sluice.team ADD CONSTRAINT team_naming_version_check
  CHECK (naming_version IN ('copy_v1', 'legacy_batch_v1', 'copy_v2'));

-- DuckDB finds tables without regard to the case of ASCII letters, so such names are one.
CREATE UNIQUE INDEX table_name_without_case ON sluice.table_name
  (lake, lower(schema_name COLLATE "C"), lower(table_name COLLATE "C"));

-- A rename is written down before the lake is changed and finished after it: whoever finds one
-- that is applying finishes it. It is carried out under a key made of its id.
CREATE TABLE sluice.table_rename (
  id           bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team         bigint       NOT NULL REFERENCES sluice.team,
  lake         varchar(63)  NOT NULL,
  from_policy  varchar(32)  NOT NULL,
  to_policy    varchar(32)  NOT NULL,
  -- The rename that this one takes back; null for one that was asked for by its policy.
  undoes       bigint       REFERENCES sluice.table_rename,
  -- The highest opening of an attempt at that time: no earlier attempt publishes any more.
  opening      bigint       NOT NULL,
  state        varchar(16)  NOT NULL CHECK (state IN ('applying', 'done', 'abandoned')),
  reason       varchar(2000),
  snapshot_id  bigint,
  begun_at     timestamptz  NOT NULL DEFAULT clock_timestamp(),
  finished_at  timestamptz
);

-- A team has one at a time.
CREATE UNIQUE INDEX table_rename_applying ON sluice.table_rename (team) WHERE state = 'applying';

CREATE TABLE sluice.table_rename_item (
  rename_id   bigint       NOT NULL REFERENCES sluice.table_rename,
  schema_id   varchar(100) NOT NULL,
  schema_name varchar(63)  NOT NULL,
  old_name    varchar(63)  NOT NULL,
  new_name    varchar(63)  NOT NULL,
  PRIMARY KEY (rename_id, schema_id)
);

CREATE INDEX table_rename_item_old_idx ON sluice.table_rename_item (schema_name, old_name);

-- What a source is decides the schema its table goes to and how the table is named: an import by
-- type, prefix and table; a model by its label (source_table) or its query's name (prefix).
ALTER TABLE sluice.source
  ADD COLUMN kind varchar(16) NOT NULL DEFAULT 'import' CHECK (kind IN ('import', 'model'));
