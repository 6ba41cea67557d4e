-- The trigger counts new entries and interviews.
INSERT INTO interview (id, funnel_id, title, recorded_at, created_at) VALUES ('iv_counted', 2, 'Counted', '2025-03-08 00:00:00+00', '2025-03-08 00:00:00+00');
