-- landing_file.source_rows: rows by the source's own footer, of the very version that was listed and
-- copied; null where the store tells no versions apart, and where nobody has read it yet.
ALTER TABLE sluice.landing_file ADD COLUMN source_rows bigint;
