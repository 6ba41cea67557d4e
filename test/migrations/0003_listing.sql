-- Triggers fill the listing from new writes.
INSERT INTO interview (id, funnel_id, title, recorded_at, created_at) VALUES ('iv_4', 2, 'Listed', '2025-03-06 00:00:00+00', '2025-03-06 00:00:00+00');
