import { BlockList, isIP } from 'node:net';
import { isLoopback } from '#server/http/loopback.ts';
import { SERVER_SOURCES } from '#server/sources/sources.ts';
import type { Config } from './config.ts';

const SERVICES = [
  ...Object.values(SERVER_SOURCES).flatMap(({ urls }) => urls),
  'BREACHED_PASSWORDS_URL',
  'BULLHORN_LOGIN_URL',
  'LEVER_URL',
  'YOUTUBE_API_URL',
  'TRANSCRIPTION_URL',
  'SUMMARY_URL',
  'S3_ENDPOINT',
] as const;
const DATABASES = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'] as const;

type Destinations = Pick<Config, (typeof SERVICES)[number] | (typeof DATABASES)[number] | 'CLAMD_ADDRESS'>;

/**
 * Returns a sentence for every setting with which keys, recordings or rows are sent in clear.
 * Services in private networks are excepted, and databases whose URL contains a decision
 * (`sslmode`).
 */
export function cleartextSettings(config: Destinations): string[] {
  const services = SERVICES.filter((name) => isCleartextService(config[name]));
  const scanner = config.CLAMD_ADDRESS;
  return [
    ...services.map((name) => `${name} isn't encrypted, and its host is on the internet. Use https://.`),
    ...(scanner && 'host' in scanner && !isPrivateHost(scanner.host)
      ? ['CLAMD_ADDRESS is on the internet, and files are sent to it unencrypted. Use a daemon in your network.']
      : []),
    ...DATABASES.filter((name) => isCleartextDatabase(config[name])).map(
      (name) =>
        `${name} leads to another machine, and the connection isn't encrypted. Add ?sslmode=verify-full, or ?sslmode=disable if the network is trusted.`,
    ),
  ];
}

function isCleartextService(text: string | undefined): boolean {
  const url = URL.parse(text ?? '');
  return url?.protocol === 'http:' && !isPrivateHost(url.hostname.replace(/^\[|\]$/g, ''));
}

/** An empty host and a path are sockets of this machine, as in `readConfig`. */
function isCleartextDatabase(text: string | undefined): boolean {
  const url = URL.parse(text?.replace('@/', '@localhost/') ?? '');
  if (!url || url.searchParams.has('sslmode') || url.searchParams.has('ssl')) return false;
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  return !host.startsWith('/') && !isLoopback(host.replace(/^\[|\]$/g, ''));
}

/** RFC 1918, 3927, 6598 and 4193, and link-local addresses of IPv6. */
const PRIVATE: readonly [network: string, prefix: number][] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
  ['fe80::', 10],
];
const privateNetworks = new BlockList();
for (const [network, prefix] of PRIVATE) privateNetworks.addSubnet(network, prefix, family(network));

/**
 * Names without a dot, and names below these, exist in private networks only (RFC 6762, RFC 8375).
 */
const PRIVATE_NAME = /^[^.]+$|\.(?:internal|local|lan|home\.arpa)$/i;

export const isPrivateHost = (host: string): boolean =>
  isLoopback(host) || (isIP(host) > 0 ? privateNetworks.check(host, family(host)) : PRIVATE_NAME.test(host));

function family(address: string) {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
