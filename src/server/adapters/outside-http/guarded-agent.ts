import { type LookupAddress, type LookupOptions, lookup, promises } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type OutgoingProxy, throughProxy } from './outgoing-proxy.ts';
import { type AllowedHosts, plainHost, portOf } from './private-addresses.ts';

export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
  constructor() {
    super('The address is in a private network');
  }
}

export class ForeignHost extends Error {
  override name = 'ForeignHost';
  constructor() {
    super('The list of allowed hosts does not contain the host');
  }
}

interface GuardOptions {
  agent: Omit<Agent.Options, 'connect'>;
  connectTimeoutMs: number;
  proxy?: OutgoingProxy | undefined;
}

/**
 * An agent for addresses chosen by strangers. It checks the resolved address when it connects and
 * connects to exactly that address, so a name cannot resolve to one address for the check and
 * another for its use (DNS rebinding). Each redirect is a new connection and is checked again.
 * Through a proxy, which resolves names itself, it checks what this machine can tell about them.
 */
export function guardedAgent(allowed: AllowedHosts, options: GuardOptions): Dispatcher {
  const { agent, connectTimeoutMs, proxy } = options;
  const connect = buildConnector({ allowH2: false, timeout: connectTimeoutMs, lookup: guardedLookup(allowed) });
  const direct = new Agent({
    ...agent,
    allowH2: false,
    connect(target, done) {
      const host = plainHost(target.hostname);
      // Names are resolved and checked below; addresses are used as they are.
      if (!allowed.admitsHost(host, portOf(target.protocol, target.port))) done(new ForeignHost(), null);
      else if (isIP(host) > 0 && !allowed.admits(host)) done(new PrivateAddress(), null);
      else connect(target, done);
    },
  });
  if (!proxy) return direct;
  const check = (host: string, port: number) => expectAdmitted(allowed, host, port);
  return throughProxy(proxy, direct, { agent, connectTimeoutMs, check });
}

/** @throws ForeignHost, PrivateAddress */
async function expectAdmitted(allowed: AllowedHosts, host: string, port: number): Promise<void> {
  if (!allowed.admitsHost(host, port)) throw new ForeignHost();
  if (!allowed.admitsUnresolved(host)) throw new PrivateAddress();
  if (isIP(host) > 0 || allowed.hasName(host)) return;
  // Behind a proxy, a machine often resolves no names of the internet.
  const found = await promises.lookup(host, { all: true }).catch(() => []);
  if (!found.every(({ address }) => allowed.admits(address))) throw new PrivateAddress();
}

const guardedLookup =
  (allowed: AllowedHosts): LookupFunction =>
  (name, options: LookupOptions, done) => {
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, []);
      const admitted = allowed.hasName(name) ? found : found.filter(({ address }) => allowed.admits(address));
      const [first] = admitted;
      if (!first) return done(new PrivateAddress(), []);
      if (options.all) done(null, admitted);
      else done(null, first.address, first.family);
    });
  };
