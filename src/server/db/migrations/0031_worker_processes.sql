-- Works since 0020_finding.sql
-- The worker processes. Each stores every 10 s that it runs, and deletes its row when it stops.
CREATE TABLE worker_process (
  id      uuid PRIMARY KEY,
  -- The types of jobs that it runs.
  jobs    text[] NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
