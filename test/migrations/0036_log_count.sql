-- The trigger counts new entries and interviews.
INSERT INTO log_entry (type, action, status, summary) VALUES ('system', 'start', 'info', 'The server was started.');
