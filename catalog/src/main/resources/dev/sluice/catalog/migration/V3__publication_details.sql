-- restores: snapshot of the earlier publication whose content a rollback brought back.
-- replaced: what others had done to the table and the publication dropped by policy.
ALTER TABLE sluice.publication ADD COLUMN restores bigint;
ALTER TABLE sluice.publication ADD COLUMN replaced varchar;
