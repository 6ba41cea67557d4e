import { bullhornTokens } from '#server/adapters/ats-bullhorn/bullhorn-ats.ts';
import { newSignIn } from '#server/adapters/ats-bullhorn/bullhorn-sign-in.ts';
import { bullhornAccess, composeAts } from '#server/compose-ats.ts';
import { createEvents } from '#server/compose-events.ts';
import { readConfig } from '#server/config/config.ts';
import { readSecrets } from '#server/config/secrets.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { grantBullhorn } from './ats-systems.ts';
import type { TestApp } from './start-app.ts';

const REDIRECT = 'http://127.0.0.1:1/';

/** Accepts the terms of Bullhorn, as `npm run ats:connect` does with an administrator. */
export async function connectBullhorn({ db, environment }: Pick<TestApp, 'db' | 'environment'>): Promise<void> {
  const config = readConfig(environment);
  const { encryptionKeys } = await readSecrets(config);
  const ats = composeAts(config, { db, sealer: new Sealer(encryptionKeys), events: createEvents() });
  const { tokens } = bullhornTokens(bullhornAccess(config));
  const returned = await grantBullhorn(await tokens.consentUrl(REDIRECT, 'state'));
  const signIn = newSignIn(await tokens.exchangeCode(returned.get('code') ?? '', REDIRECT));
  await ats?.connection.change(async () => ({ state: 'connected', signIn }));
}
