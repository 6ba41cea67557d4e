INSERT INTO identity (account_id, issuer, subject, email)
  SELECT id, 'https://id.example.com', '7', 'admin@example.com' FROM account WHERE username = 'admin';
INSERT INTO session (token_hash, account_id, remembered, expires_at, identity_id, provider_session)
  SELECT decode(repeat('cd', 32), 'hex'), account_id, false, '2026-11-27 00:00:00+00', id, 'a session' FROM identity;
INSERT INTO logout_token (token_hash, expires_at) VALUES (decode(repeat('ef', 32), 'hex'), '2026-11-27 00:00:00+00');
