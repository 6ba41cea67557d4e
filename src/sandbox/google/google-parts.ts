import { Tokens } from './tokens.ts';
import { Uploads } from './uploads.ts';

export const GOOGLE_PREFIX = '/google';

/** State shared by the pages and calls of the simulated Google services. */
export interface GoogleParts {
  tokens: Tokens;
  uploads: Uploads;
  /** Public URL including the prefix. */
  url: string;
}

export const googleParts = (origin: string): GoogleParts => ({
  tokens: new Tokens(),
  uploads: new Uploads(),
  url: origin + GOOGLE_PREFIX,
});
