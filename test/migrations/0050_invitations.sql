INSERT INTO account (username, password_hash, email) VALUES ('invited', NULL, 'invited@example.com');
INSERT INTO invitation (account_id, token_hash, expires_at)
  SELECT id, decode(repeat('ab', 32), 'hex'), '2026-11-27 00:00:00+00' FROM account WHERE username = 'invited';
