-- Works since 0020_finding.sql
-- The release that last started on or migrated this database, and its migrations.
CREATE TABLE installed_release (
  one_row    boolean PRIMARY KEY DEFAULT true CONSTRAINT installed_release_one_row CHECK (one_row),
  release    text NOT NULL,
  migrations text[] NOT NULL
);
-- All releases before this migration were called 2.0.0. The migrations of this upgrade are newer
-- than the last log entry.
INSERT INTO installed_release (release, migrations)
SELECT '2.0.0', coalesce(
  array_agg(name ORDER BY name) FILTER (WHERE applied_at <= (SELECT max(created_at) FROM log_entry)),
  array_agg(name ORDER BY name),
  '{}'
)
FROM migration
HAVING EXISTS (SELECT FROM account);
