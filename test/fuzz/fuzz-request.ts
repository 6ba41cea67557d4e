import type { Endpoint } from '#contracts/endpoint.ts';

/**
 * Whose session a request carries. Those whose session may end, and whose password may change, have accounts apart, so that the staff
 * stay signed in.
 */
export type Identity = 'staff' | 'leaver' | 'changer' | 'nobody';

export const LEAVER = { username: 'leaver', password: 'leaver-password' };
export const CHANGER = { username: 'changer', password: 'changer-password' };

/** A request as it goes over the wire, and what the contract says of its answer. */
export interface FuzzRequest {
  method: string;
  /** The request target as sent: visible characters of ASCII. */
  target: string;
  headers: [name: string, value: string][];
  body?: string | undefined;
  identity: Identity;
  /** Whose response schema a success has to match; null for what is no JSON endpoint. */
  endpoint: Endpoint | null;
  /**
   * `taken`: no field is wrong, so a 400 would be a lie. `refused`: the contract's own schema refuses it, so a success would be.
   * `either`: the contract does not say.
   */
  input: 'taken' | 'refused' | 'either';
}

/** What the requests name that is really there. */
export interface KnownIds {
  interviews: readonly string[];
  /** Those that stay, and those that may be deleted. */
  funnels: readonly number[];
  disposableFunnels: readonly number[];
  files: readonly string[];
}

/** The request as one line that a person can read and send again. */
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
