-- Its trigger counts what is written from now on.
INSERT INTO log_entry (type, action, status, summary) VALUES ('system', 'start', 'info', 'The server was started.');
