import pg from 'pg';

/** `GRANT MAINTAIN` exists since PostgreSQL 17. */
const MAINTAIN_VERSION = 170_000;

/**
 * Grants a role that owns nothing the rights that the product needs: reading and writing rows, and
 * VACUUM and ANALYZE. Log entries it can only insert with the current time, read, redact and delete
 * after their retention, and their counts only read (docs/decisions/0017). Repeated at each start,
 * so that it includes the tables of new migrations.
 */
export async function grantToApplication(owner: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await owner.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  const hasMaintain = (rows[0]?.version ?? 0) >= MAINTAIN_VERSION;
  const application = pg.escapeIdentifier(role);
  const columns = await listWritableLogColumns(owner);
  // The caller's transaction: another process may be working with these rights.
  await owner.query(`
    GRANT USAGE ON SCHEMA public, pgboss TO ${application};
    GRANT SELECT, INSERT, UPDATE, DELETE ${hasMaintain ? ', MAINTAIN' : ''} ON ALL TABLES IN SCHEMA public, pgboss TO ${application};
    REVOKE INSERT, UPDATE, DELETE ON log_entry FROM ${application};
    GRANT INSERT (${columns}) ON log_entry TO ${application};
    REVOKE INSERT, UPDATE, DELETE ON migration, log_count, log_total FROM ${application};
    GRANT EXECUTE ON FUNCTION redact_log_entry, erase_from_log_entry, delete_log_entries_before TO ${application};
  `);
}

/** The database sets the id and the time of an entry. */
async function listWritableLogColumns(owner: pg.ClientBase): Promise<string> {
  const { rows } = await owner.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
      WHERE attrelid = 'log_entry'::regclass AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('id', 'created_at')`,
  );
  return rows[0]?.columns ?? '';
}

/** Whether this account can read every table, the last right that `grantToApplication` grants. */
export async function hasAccess(db: pg.Pool): Promise<boolean> {
  const { rows } = await db.query<{ hasAccess: boolean }>(
    `SELECT bool_and(has_table_privilege(pg_class.oid, 'SELECT')) AS "hasAccess"
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname IN ('public', 'pgboss') AND relkind IN ('r', 'p')`,
  );
  return rows[0]?.hasAccess === true;
}
