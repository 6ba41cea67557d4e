INSERT INTO ats_pace (ats, next_call_at) VALUES ('lever', '2026-11-25 12:00:00+00');
