-- Works since 0020_finding.sql
-- When interviews with recordings that the service was still processing were last queued again.
ALTER TABLE automation ADD COLUMN unready_announced_at timestamptz;
