-- The migration adds no table and no column.
INSERT INTO worker_process (id, jobs, seen_at)
VALUES ('9b1f7a3e-2c44-4f0a-8a53-7d1c2e5f9a12', '{sync.run}', '2026-11-22 00:00:00+00');
