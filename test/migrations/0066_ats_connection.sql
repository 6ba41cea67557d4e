INSERT INTO ats_connection (ats, credentials_hash, state, sign_in_sealed)
  VALUES ('bullhorn', '\xabab', 'connected', '\xcdcd');
