INSERT INTO installed_release (release, migrations) VALUES ('2026.11.1', '{0001_accounts.sql}')
ON CONFLICT (one_row) DO UPDATE SET release = excluded.release, migrations = excluded.migrations;
