import type { FaultList, FaultSubject } from '../faults/fault-list.ts';
import type { Exchange } from '../http/exchange.ts';
import { Tokens } from './tokens.ts';
import { Uploads } from './uploads.ts';

export const GOOGLE_PREFIX = '/google';

/** What the pages and calls of the stand-in for Google share. */
export interface GoogleParts {
  tokens: Tokens;
  uploads: Uploads;
  faults: FaultList;
  /** The address that peers see, prefix included. */
  url: string;
}

export const googleParts = (origin: string, faults: FaultList): GoogleParts => ({
  tokens: new Tokens(),
  uploads: new Uploads(),
  faults,
  url: origin + GOOGLE_PREFIX,
});

export const subjectOf = ({ path }: Exchange): FaultSubject => ({ mount: 'google', path, funnelId: null, page: null });
