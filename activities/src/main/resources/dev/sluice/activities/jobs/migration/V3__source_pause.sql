-- Sources that are held where they are: no generation is brought in until they are resumed.
CREATE TABLE sluice.source_pause (
  team bigint NOT NULL,
  schema_id varchar(100) NOT NULL,
  reason text,
  paused_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (team, schema_id)
);
