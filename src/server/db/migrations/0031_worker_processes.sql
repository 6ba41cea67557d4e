-- Works since 0020_finding.sql
-- Worker processes. Each updates its row every 10 s and deletes it when it stops.
CREATE TABLE worker_process (
  id      uuid PRIMARY KEY,
  -- The job types that the process runs.
  jobs    text[] NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
