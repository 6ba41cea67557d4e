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
} as const;

const BULLHORN = ['BULLHORN_USERNAME', 'BULLHORN_CLIENT_ID', 'BULLHORN_CLIENT_SECRET'] as const;

export type AtsVariableSettings = { readonly [name in keyof typeof ATS_VARIABLES]?: string | undefined };

/** The one applicant tracking system of an installation. */
export interface AtsSettings {
  ats: 'bullhorn';
  /** As users know it. */
  name: string;
  /** The account that notes are written as. */
  account: string;
  /** Identify the account at the ATS. Some of them are secret. */
  credentials: readonly string[];
}

/** Null if none is configured. */
export function findAts(set: AtsVariableSettings): AtsSettings | null {
  const credentials = BULLHORN.flatMap((name) => set[name] || []);
  if (credentials.length < BULLHORN.length) return null;
  return { ats: 'bullhorn', name: 'Bullhorn', account: set.BULLHORN_USERNAME ?? '', credentials };
}

const CLIENT = ['BULLHORN_CLIENT_ID', 'BULLHORN_CLIENT_SECRET'] as const;

/** Returns a sentence for every variable that makes no sense without another one. */
export function impossibleAts(set: AtsVariableSettings): string[] {
  const missing = CLIENT.filter((name) => !set[name]);
  if (!set.BULLHORN_USERNAME || missing.length === 0) return [];
  const them = missing.length > 1 ? 'them' : 'it';
  return [`BULLHORN_USERNAME needs ${missing.join(' and ')}. Set ${them}, or unset BULLHORN_USERNAME.`];
}

/** Returns a sentence for every setting without effect. */
export function unfinishedAts(set: AtsVariableSettings): string[] {
  const given = CLIENT.filter((name) => set[name]);
  if (set.BULLHORN_USERNAME || given.length === 0) return [];
  const have = given.length > 1 ? 'have' : 'has';
  return [
    `${given.join(' and ')} ${have} no effect: BULLHORN_USERNAME is missing. Set it to the API user of Bullhorn.`,
  ];
}
