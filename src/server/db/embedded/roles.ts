import { randomBytes } from 'node:crypto';
import { type Access, connectionStringOf, DATABASE, query, writeAccess } from './access.ts';

/** The account that the product works with. The owner, who has the database's name, sets it up. */
const APPLICATION = 'interviews_app';

export const newPassword = () => randomBytes(24).toString('base64url');

const ATTRIBUTES = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

/**
 * Gives the owner and the application new passwords. Only the owner's is stored, before and after
 * it is changed: a crash in between leaves a file with both.
 */
export async function changePasswords(dataDir: string, { port, password }: Access) {
  const [nextPassword, application] = [newPassword(), newPassword()];
  await writeAccess(dataDir, { port, password, nextPassword });
  await query(
    { port, password },
    DATABASE,
    `DO $$ BEGIN
       IF to_regrole('${APPLICATION}') IS NULL THEN CREATE ROLE ${APPLICATION}; END IF;
     END $$;
     ALTER ROLE ${APPLICATION} ${ATTRIBUTES} PASSWORD '${application}';
     ALTER ROLE ${DATABASE} PASSWORD '${nextPassword}'`,
  );
  const access = await writeAccess(dataDir, { port, password: nextPassword });
  return {
    access,
    ownerUrl: connectionStringOf(access),
    applicationUrl: connectionStringOf({ port, password: application }, DATABASE, APPLICATION),
  };
}
