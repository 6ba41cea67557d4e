-- Outside a transaction
-- Works since 0020_finding.sql
-- Finds the last backup for the metric.
CREATE INDEX CONCURRENTLY IF NOT EXISTS log_entry_backup ON log_entry (created_at) WHERE action = 'make-backup';
