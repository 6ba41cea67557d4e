import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Greeting } from './guests.service.ts';

/** The placeholder of the greeting in the built page. */
const PLACE = '<meta name="greeting" content="" />';

/** Returns the page with a greeting. */
export type GuestPage = (greeting: Greeting | null) => string;

/** Null when the page is not built. */
export async function readGuestPage(folder: string): Promise<GuestPage | null> {
  const page = await readFile(join(folder, 'guest.html'), 'utf8').catch(() => null);
  if (page === null) return null;
  const [before = '', after = ''] = page.split(PLACE);
  return (greeting) =>
    `${before}<meta name="greeting" content="${escapeAttribute(JSON.stringify(greeting))}" />${after}`;
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
