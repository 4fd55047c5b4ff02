-- A file of a generation that the live one has unchanged is not copied.
-- reused_path: key of a live object of the table with the same content, which is published in place
-- of a copy at landed_path; null where the file is copied.
ALTER TABLE sluice.landing_file ADD COLUMN reused_path varchar;
