UPDATE account SET email = 'admin@example.com', last_seen_at = '2026-11-24 00:00:00+00' WHERE username = 'admin';
INSERT INTO account (username, password_hash, role, all_funnels, is_disabled)
  VALUES ('former recruiter', '$argon2id$former', 'recruiter', false, true);
INSERT INTO account_funnel (account_id, funnel_id)
  SELECT account.id, (SELECT min(id) FROM funnel) FROM account WHERE username = 'former recruiter';
