import { existsSync } from 'node:fs';

/** Where Debian's package installs it. */
export const PROGRAM = '/usr/sbin/pgbouncer';

export const HOW_TO_GET_PGBOUNCER = 'PgBouncer is not installed. On Debian and Ubuntu: apt-get install pgbouncer';

export const isPgBouncerInstalled = (): boolean => existsSync(PROGRAM);
