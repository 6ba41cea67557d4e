-- Works since 0020_finding.sql
-- When interviews whose recordings the service still processed were last announced again.
ALTER TABLE automation ADD COLUMN unready_announced_at timestamptz;
