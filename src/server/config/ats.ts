import type { Config } from './config.ts';

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
export function findAts(config: Config): AtsSettings | null {
  if (config.LEVER_API_KEY) {
    const account = config.LEVER_USER ?? 'the owner of the API key';
    return { ats: 'lever', name: 'Lever', account, credentials: [config.LEVER_API_KEY], initialState: 'connected' };
  }
  const { BULLHORN_USERNAME: account, BULLHORN_CLIENT_ID: id, BULLHORN_CLIENT_SECRET: secret } = config;
  if (!account || !id || !secret) return null;
  const credentials = [account, id, secret];
  return { ats: 'bullhorn', name: 'Bullhorn', account, credentials, initialState: 'not_configured' };
}
