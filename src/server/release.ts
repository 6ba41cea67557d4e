import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The release of this program, numbered by date: `2026.11.1` is the first one of November 2026. */
export const RELEASE: string = version;
