import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { AllowedHosts } from './private-addresses.ts';

/** The address leads into a private network. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
  constructor() {
    super('The address leads into a private network');
  }
}

/**
 * A client for addresses that strangers chose. What a name stands for is looked at when the connection is made, and the connection goes
 * to just that address, so no name can mean one thing when it is checked and another when it is used. Each redirect is a connection of
 * its own, and looked at in the same way.
 */
export function guardedAgent(allowed: AllowedHosts, options: Omit<Agent.Options, 'connect'>, timeoutMs: number): Agent {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(allowed) });
  return new Agent({
    ...options,
    connect(target, done) {
      const host = target.hostname.replace(/^\[|\]$/g, '');
      // A name is looked up, and looked at, below; an address is used as it is.
      if (isIP(host) > 0 && !allowed.admits(host)) done(new PrivateAddress(), null);
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
