import type { z } from 'zod';
import { type Account, inviteAccount, listAccounts, type NewAccount } from '#contracts/accounts.ts';
import { type LogEntry, listLogs } from '#contracts/logs.ts';
import { signOnVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import type { Person } from './call.ts';
import { SignOnBrowser } from './sign-on-browser.ts';
import { startApp, type TestApp } from './start-app.ts';

export interface SignOnProduct {
  product: TestApp;
  /** The first account, signed in with its password. */
  admin: Person;
  browser(): SignOnBrowser;
  invite(account: Partial<z.input<typeof NewAccount>> & { username: string }): Promise<Account>;
  account(username: string): Promise<Account | undefined>;
  /** The newest entries of sign-ins, sign-outs and accounts first. */
  entries(action: string): Promise<LogEntry[]>;
}

/** Single sign-on for people with existing accounts, without roles from groups. */
export function plainSignOn(sandbox: Sandbox): Record<string, string> {
  const { OIDC_ROLE_CLAIM: _claim, OIDC_ROLE_MAP: _map, ...variables } = signOnVariables(sandbox);
  return { ...variables, OIDC_CREATE: 'false' };
}

export async function startWithSignOn(sandbox: Sandbox, env: Record<string, string>): Promise<SignOnProduct> {
  const product = await startApp({ jobs: false, env });
  const admin = await product.signedIn();
  return {
    ...{ product, admin },
    browser: () => new SignOnBrowser(product, sandbox),
    async invite(account) {
      const usual = { email: `${account.username}@example.com`, role: 'recruiter', allFunnels: true } as const;
      return (await admin.call(inviteAccount, { body: { ...usual, funnelIds: [], ...account } })).account;
    },
    async account(username) {
      return (await admin.call(listAccounts, {})).find((one) => one.username === username);
    },
    async entries(action) {
      return (await admin.call(listLogs, { query: { limit: 50 } })).logs.filter((entry) => entry.action === action);
    },
  };
}
