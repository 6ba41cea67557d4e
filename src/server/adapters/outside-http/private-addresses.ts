import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not public: this machine, its networks, cloud metadata, and other notations of
 * them (IANA special-purpose registries,
 * https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry).
 * ipaddr.js counts `::7f00:1`, a deprecated notation of 127.0.0.1, as public.
 */
const RANGES: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
];

export const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** @throws Error for text that is neither an address nor a range */
export function addAddresses(list: BlockList, range: string): void {
  const [address = '', prefix] = range.split('/');
  if (prefix === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(prefix), familyOf(address));
}

const PRIVATE = new BlockList();
for (const range of RANGES) addAddresses(PRIVATE, range);

/** An IPv4 address inside an IPv6 address (`::ffff:127.0.0.1`) counts as that IPv4 address. */
export const isPrivate = (address: string): boolean => PRIVATE.check(address, familyOf(address));

/** Names that only this machine or its network resolves (RFC 6761, 6762 and 8375, ICANN). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** A host of an allow list: `cdn.example.com`, `*.example.com`, `[2001:db8::1]:8443`. */
const FILE_HOST = /^(\*\.)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i;
const DEFAULT_PORTS: readonly number[] = [80, 443];

/** The hosts that files may be downloaded from. */
export class AllowedHosts {
  readonly #names = new Set<string>();
  readonly #addresses = new BlockList();
  readonly #fileHosts: readonly FileHost[] | null;

  /**
   * `privateHosts` are names, addresses and ranges (`10.1.0.0/16`) in private networks. With
   * `fileHosts`, no other hosts are allowed.
   */
  constructor(privateHosts: readonly string[], fileHosts: readonly string[] | null = null) {
    for (const host of privateHosts) {
      if (isIP(host.split('/')[0] ?? '') > 0) addAddresses(this.#addresses, host);
      else this.#names.add(host.toLowerCase());
    }
    this.#fileHosts = fileHosts?.map(parseFileHost) ?? null;
  }

  hasName(name: string): boolean {
    return this.#names.has(name.toLowerCase());
  }

  /** True for a host that is allowed although it may be private. */
  hasHost(host: string): boolean {
    return isIP(host) > 0 ? this.#isListed(host) : this.hasName(host);
  }

  /** True for a public address and for a listed private one. */
  admits(address: string): boolean {
    return !isPrivate(address) || this.#isListed(address);
  }

  /** False for a host that a list of hosts excludes. */
  admitsHost(host: string, port: number): boolean {
    if (!this.#fileHosts || this.hasName(host)) return true;
    if (isIP(host) > 0 && isPrivate(host) && this.#isListed(host)) return true;
    return this.#fileHosts.some(
      ({ name, isSuffix, ports }) => ports.includes(port) && (isSuffix ? host.endsWith(`.${name}`) : host === name),
    );
  }

  /** False for a URL that is rejected without a DNS lookup. */
  admitsUrl(url: string): boolean {
    const { protocol, hostname, port } = URL.parse(url) ?? {};
    if (!hostname || (protocol !== 'http:' && protocol !== 'https:')) return false;
    const host = plainHost(hostname);
    if (!this.admitsHost(host, portOf(protocol, port))) return false;
    return isIP(host) > 0 ? this.admits(host) : !PRIVATE_NAME.test(host) || this.hasName(hostname);
  }

  /**
   * False for a private address and a name of a private network, if this is certain without
   * a look-up. Names without a dot exist in private networks only.
   */
  admitsUnresolved(host: string): boolean {
    if (isIP(host) > 0) return this.admits(host);
    return this.hasName(host) || (host.includes('.') && !PRIVATE_NAME.test(host));
  }

  #isListed(address: string): boolean {
    return this.#addresses.check(address, familyOf(address));
  }
}

interface FileHost {
  name: string;
  /** True for every name below it. */
  isSuffix: boolean;
  ports: readonly number[];
}

function parseFileHost(text: string): FileHost {
  const [, wildcard, name = '', port] = FILE_HOST.exec(text.toLowerCase()) ?? [];
  return { name: plainHost(name), isSuffix: wildcard !== undefined, ports: port ? [Number(port)] : DEFAULT_PORTS };
}

/** A host of a URL without brackets and without the dot of a full name. */
export const plainHost = (host: string): string => host.replace(/^\[|\]$|\.$/g, '').toLowerCase();

export const portOf = (protocol: string, port: string | undefined): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80);
