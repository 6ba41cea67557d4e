import type { Endpoint } from '#contracts/endpoint.ts';

/**
 * The account whose session a request carries. Accounts whose session may end or whose password may
 * change are separate, so that the staff stay signed in. A guest has opened a link.
 */
export type Identity = 'staff' | 'leaver' | 'changer' | 'guest' | 'anonymous';

export const LEAVER = { username: 'leaver', password: 'leaver-password' };
export const CHANGER = { username: 'changer', password: 'changer-password' };

/** A request as it is sent, and the verdict of the contract on its input. */
export interface FuzzRequest {
  method: string;
  /** The request target as sent: visible ASCII characters. */
  target: string;
  headers: [name: string, value: string][];
  body?: string | undefined;
  identity: Identity;
  /** Its response schema applies to a success; null when this is not a JSON endpoint. */
  endpoint: Endpoint | null;
  /**
   * `valid`: no field is wrong, so a 400 would be an error. `invalid`: the schema refuses it, so a
   * success would be an error. `either`: the contract does not decide.
   */
  input: 'valid' | 'invalid' | 'either';
}

/** The existing ids and files that requests may name. */
export interface KnownIds {
  interviews: readonly string[];
  /** Funnels that are not deleted. The disposable ones may be. */
  funnels: readonly number[];
  disposableFunnels: readonly number[];
  files: readonly string[];
  /** Uploads of the staff. */
  uploads: readonly string[];
  /** The paths of webhooks. */
  hooks: readonly string[];
  /** Accounts that requests may change. Changing the staff or the changer would sign them out. */
  accounts: readonly number[];
  /** Comments of the staff. */
  comments: readonly string[];
  shares: readonly number[];
  /** Tokens of invitations. */
  invitations: readonly string[];
  /** Tokens of links for clients. */
  links: readonly string[];
}

/** Formats the request as one readable line that can be sent again. */
export function describeRequest({ method, target, headers, body, identity }: FuzzRequest): string {
  const shown = headers.map((header) => header.map(shorten));
  const sent = {
    method,
    target: shorten(target),
    headers: shown,
    identity,
    ...(body !== undefined && { body: shorten(body) }),
  };
  return JSON.stringify(sent);
}

const shorten = (text: string) => (text.length > 500 ? `${text.slice(0, 300)}… (${text.length} characters)` : text);
