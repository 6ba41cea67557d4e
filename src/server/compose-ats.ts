import type { BullhornAccess } from './adapters/ats-bullhorn/bullhorn-ats.ts';
import { loadOnce } from './async/single-flight.ts';
import { outgoingProxy } from './compose-adapters.ts';
import type { Config } from './config/config.ts';
import { StoredAtsConnection, type StoredAtsConnectionDeps } from './features/ats/ats-connection.service.ts';
import type { ConfiguredAts } from './features/ats/connected-ats.service.ts';
import type { Ats } from './ports/ats.ts';

type ConnectionDeps = Pick<StoredAtsConnectionDeps, 'db' | 'sealer' | 'events'>;

/** The applicant tracking system of this installation, or null if none is configured. */
export function composeAts(config: Config, deps: ConnectionDeps): ConfiguredAts | null {
  const settings = findAts(config);
  if (!settings) return null;
  const connection = new StoredAtsConnection({ ...deps, ...settings });
  const load = loadOnce(async () => {
    if (settings.ats === 'lever') {
      const { LeverAts } = await import('./adapters/ats-lever/lever-ats.ts');
      const { LEVER_API_KEY: apiKey = '', LEVER_URL: url, LEVER_USER: user } = config;
      return new LeverAts({ apiKey, url, user, connection, proxy: outgoingProxy(config) });
    }
    const { BullhornAts } = await import('./adapters/ats-bullhorn/bullhorn-ats.ts');
    return new BullhornAts({ ...bullhornAccess(config), connection });
  });
  return { ats: loadedLater(settings.name, load), connection, account: settings.account };
}

/** Null if none is configured. */
function findAts(config: Config): Omit<StoredAtsConnectionDeps, keyof ConnectionDeps> | null {
  if (config.LEVER_API_KEY) {
    const account = config.LEVER_USER ?? 'the owner of the API key';
    // An API key needs no consent.
    return { ats: 'lever', name: 'Lever', account, credentials: [config.LEVER_API_KEY], initialState: 'connected' };
  }
  const { BULLHORN_USERNAME: account, BULLHORN_CLIENT_ID: id, BULLHORN_CLIENT_SECRET: secret } = config;
  if (!account || !id || !secret) return null;
  const credentials = [account, id, secret];
  return { ats: 'bullhorn', name: 'Bullhorn', account, credentials, initialState: 'not_configured' };
}

export const bullhornAccess = (config: Config): BullhornAccess => ({
  client: {
    username: config.BULLHORN_USERNAME ?? '',
    clientId: config.BULLHORN_CLIENT_ID ?? '',
    clientSecret: config.BULLHORN_CLIENT_SECRET ?? '',
  },
  loginUrl: config.BULLHORN_LOGIN_URL,
  allowPrivateHosts: config.ALLOW_PRIVATE_HOSTS ?? [],
  proxy: outgoingProxy(config),
});

/** For administrators: the account, and whether it may write. */
export async function describeAts(ats: Ats): Promise<{ text: string; isUsable: boolean }> {
  try {
    const { account, canWrite: isUsable } = await ats.check(new AbortController().signal);
    const text = `${ats.name} accepts our sign-in as ${account}, `;
    return {
      isUsable,
      text: text + (isUsable ? 'which may write notes.' : 'but it may not write notes. Give it that right.'),
    };
  } catch (error) {
    const { addressAdmin } = await import('./adapters/outside-http/try-service.ts');
    return { isUsable: false, text: addressAdmin((error as Error).message) };
  }
}

/** Loads the adapter with the first call. */
const loadedLater = (name: string, load: () => Promise<Ats>): Ats => ({
  name,
  check: async (signal) => (await load()).check(signal),
  searchJobs: async (search, signal) => (await load()).searchJobs(search, signal),
  findJob: async (of, signal) => (await load()).findJob(of, signal),
  findCandidates: async (of, signal) => (await load()).findCandidates(of, signal),
  findNote: async (target, marker, signal) => (await load()).findNote(target, marker, signal),
  createNote: async (target, note, signal) => (await load()).createNote(target, note, signal),
  replaceNote: async (target, noteId, note, signal) => (await load()).replaceNote(target, noteId, note, signal),
  removeNote: async (target, noteId, signal) => (await load()).removeNote(target, noteId, signal),
});
