import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
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

/**
 * An agent for addresses chosen by strangers. It checks the resolved address when it connects and
 * connects to exactly that address, so a name cannot resolve to one address for the check and
 * another for its use (DNS rebinding). Each redirect is a new connection and is checked again.
 */
export function guardedAgent(allowed: AllowedHosts, options: Omit<Agent.Options, 'connect'>, timeoutMs: number): Agent {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(allowed) });
  return new Agent({
    ...options,
    connect(target, done) {
      const host = plainHost(target.hostname);
      // Names are resolved and checked below; addresses are used as they are.
      if (!allowed.admitsHost(host, portOf(target.protocol, target.port))) done(new ForeignHost(), null);
      else if (isIP(host) > 0 && !allowed.admits(host)) done(new PrivateAddress(), null);
      else connect(target, done);
    },
  });
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
