-- What is known of a generation before its files are landed, and what landing made of each.
-- landing.plan, landing_file.plan: text of whoever planned it; null where files are landed as listed.
ALTER TABLE sluice.landing ADD COLUMN plan varchar;
ALTER TABLE sluice.landing_file ADD COLUMN plan varchar;
-- landed_bytes: size of the landed object where it is not the source's own.
-- deleted_rows: rows of the landed object that are no content.
-- landed_facts: text of whoever landed it.
ALTER TABLE sluice.landing_file ADD COLUMN landed_bytes bigint;
ALTER TABLE sluice.landing_file ADD COLUMN deleted_rows bigint;
ALTER TABLE sluice.landing_file ADD COLUMN landed_facts varchar;
