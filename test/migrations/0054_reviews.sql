INSERT INTO scorecard (funnel_id, version, criteria, is_default)
  SELECT funnel_id, 1, '[{"key": "overall", "label": "Overall", "low": "Weak", "middle": "Fair", "high": "Strong"}]', true
  FROM interview WHERE id = 'iv_1';
INSERT INTO review (interview_id, account_id, author, scorecard_version, ratings, first_ratings, recommendation, note, after_reading, submitted_at, decided_at)
  SELECT 'iv_1', id, username, 1, '{"overall": 4}', '{"overall": 5}', 3, 'Calm.', true, '2026-11-25 00:00:00.125+00', '2026-11-25 00:00:01.5+00'
  FROM account WHERE username = 'admin';
INSERT INTO review (interview_id, account_id, author, scorecard_version, ratings, note) VALUES ('iv_1', NULL, 'former', 1, '{"overall": null}', '');
INSERT INTO review_reading (account_id, interview_id) SELECT id, 'iv_1' FROM account WHERE username = 'admin';
