-- The migration fills a column that 0049_log_columns.sql adds.
INSERT INTO worker_process (id, jobs, seen_at)
VALUES ('5f8b1c52-6a0e-4f57-9d1c-3a7a0c9b6d11', '{sync.run}', '2026-11-22 00:00:00+00');
