INSERT INTO notice (account_id, kind, actor, is_mail_due) SELECT id, 'webhook', 'example.com', false FROM account WHERE username = 'admin';
