import { bullhornTokens } from '#server/adapters/ats-bullhorn/bullhorn-ats.ts';
import { newSignIn } from '#server/adapters/ats-bullhorn/bullhorn-sign-in.ts';
import { bullhornAccess, composeAts } from '#server/compose-ats.ts';
import { createEvents } from '#server/compose-events.ts';
import { readConfig } from '#server/config/config.ts';
import { findEncryptionKeys } from '#server/config/secrets.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { grantBullhorn } from './ats-systems.ts';
import type { TestApp } from './start-app.ts';

/** Connects the product with the sandbox's Bullhorn, as `npm run ats:connect` does. */
export async function connectAts({ db, environment }: Pick<TestApp, 'db' | 'environment'>): Promise<void> {
  const config = readConfig(environment);
  const redirect = 'http://127.0.0.1:1/';
  const { tokens } = bullhornTokens(bullhornAccess(config));
  const granted = await grantBullhorn(await tokens.consentUrl(redirect, 'state'));
  const signIn = newSignIn(await tokens.exchangeCode(granted.get('code') ?? '', redirect));
  const sealer = new Sealer(() => findEncryptionKeys(config));
  await composeAts(config, { db, sealer, events: createEvents() })?.connection.change(async () => ({
    state: 'connected',
    signIn,
  }));
}
