INSERT INTO worker_process (id, jobs, seen_at)
VALUES ('7c0d3f0e-3c61-4b1a-9d55-0d2f4f8f3a31', '{sync.run}', '2026-11-22 00:00:00+00');
