import { z } from 'zod';
import { baseUrl } from './values.ts';

export const ATS_VARIABLES = {
  BULLHORN_USERNAME: z
    .string()
    .trim()
    .optional()
    .describe(
      "Name of the API user of Bullhorn that notes are written as. Bullhorn's support creates it with the client. Run `npm run ats:connect` after setting it.",
    ),
  BULLHORN_CLIENT_ID: z.string().trim().optional().describe('ID of the OAuth client at Bullhorn.'),
  BULLHORN_CLIENT_SECRET: z.string().trim().optional().describe('Secret of that OAuth client.'),
  BULLHORN_LOGIN_URL: baseUrl
    .default('https://rest.bullhornstaffing.com')
    .describe(
      'Where Bullhorn names the data center of the API user. Its addresses must be in the same domain. Change it only for testing.',
    ),
  LEVER_API_KEY: z
    .string()
    .trim()
    .optional()
    .describe('API key of Lever, with permission for notes, opportunities, postings and users. Instead of Bullhorn.'),
  LEVER_URL: baseUrl
    .default('https://api.lever.co/v1')
    .describe('Base URL of the Lever API. Change it only for testing.'),
  LEVER_USER: z
    .string()
    .trim()
    .optional()
    .describe('E-mail address of the user of Lever that notes are written as. If unset, the owner of the key.'),
} as const;

const BULLHORN = ['BULLHORN_USERNAME', 'BULLHORN_CLIENT_ID', 'BULLHORN_CLIENT_SECRET'] as const;

export type AtsVariableSettings = { readonly [name in keyof typeof ATS_VARIABLES]?: string | undefined };

/** The one applicant tracking system of an installation. */
export interface AtsSettings {
  ats: 'bullhorn' | 'lever';
  /** As users know it. */
  name: string;
  /** The account that notes are written as. */
  account: string;
  /** Identify the account at the ATS. Some of them are secret. */
  credentials: readonly string[];
  /** The state before a consent. An API key needs none. */
  initialState: 'connected' | 'not_configured';
}

/** Null if none is configured. */
export function findAts(set: AtsVariableSettings): AtsSettings | null {
  if (set.LEVER_API_KEY) {
    const account = set.LEVER_USER ?? 'the owner of the API key';
    return { ats: 'lever', name: 'Lever', account, credentials: [set.LEVER_API_KEY], initialState: 'connected' };
  }
  const credentials = BULLHORN.flatMap((name) => set[name] || []);
  if (credentials.length < BULLHORN.length) return null;
  const account = set.BULLHORN_USERNAME ?? '';
  return { ats: 'bullhorn', name: 'Bullhorn', account, credentials, initialState: 'not_configured' };
}

const CLIENT = ['BULLHORN_CLIENT_ID', 'BULLHORN_CLIENT_SECRET'] as const;

/** Returns a sentence for every variable that makes no sense without another one. */
export function impossibleAts(set: AtsVariableSettings): string[] {
  if (set.LEVER_API_KEY && set.BULLHORN_USERNAME)
    return ['LEVER_API_KEY must be unset if BULLHORN_USERNAME is set: one installation works with one ATS. Unset one.'];
  const missing = CLIENT.filter((name) => !set[name]);
  if (!set.BULLHORN_USERNAME || missing.length === 0) return [];
  const them = missing.length > 1 ? 'them' : 'it';
  return [`BULLHORN_USERNAME needs ${missing.join(' and ')}. Set ${them}, or unset BULLHORN_USERNAME.`];
}

/** Returns a sentence for every setting without effect. */
export function unfinishedAts(set: AtsVariableSettings): string[] {
  const given = CLIENT.filter((name) => set[name]);
  if (set.LEVER_USER && !set.LEVER_API_KEY)
    return ['LEVER_USER has no effect: LEVER_API_KEY is missing. Set it to a key of Lever.'];
  if (set.BULLHORN_USERNAME || given.length === 0) return [];
  const have = given.length > 1 ? 'have' : 'has';
  return [
    `${given.join(' and ')} ${have} no effect: BULLHORN_USERNAME is missing. Set it to the API user of Bullhorn.`,
  ];
}
