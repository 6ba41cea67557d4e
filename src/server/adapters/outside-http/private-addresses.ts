import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not public: this machine, its networks, cloud metadata, and other notations of
 * them (IANA special-purpose registries,
 * https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry).
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

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** @throws Error for text that is neither an address nor a range */
function add(list: BlockList, range: string): void {
  const [address = '', prefix] = range.split('/');
  if (prefix === undefined) list.addAddress(address, family(address));
  else list.addSubnet(address, Number(prefix), family(address));
}

const PRIVATE = new BlockList();
for (const range of RANGES) add(PRIVATE, range);

/** An IPv4 address inside an IPv6 address (`::ffff:127.0.0.1`) counts as that IPv4 address. */
export const isPrivate = (address: string): boolean => PRIVATE.check(address, family(address));

/** Private hosts that are allowed. */
export class AllowedHosts {
  readonly #names = new Set<string>();
  readonly #addresses = new BlockList();

  /** Accepts names, addresses and ranges (`10.1.0.0/16`). */
  constructor(hosts: readonly string[]) {
    for (const host of hosts) {
      if (isIP(host.split('/')[0] ?? '') > 0) add(this.#addresses, host);
      else this.#names.add(host.toLowerCase());
    }
  }

  hasName(name: string): boolean {
    return this.#names.has(name.toLowerCase());
  }

  /** True for a public address and for a listed private one. */
  admits(address: string): boolean {
    return !isPrivate(address) || this.#addresses.check(address, family(address));
  }
}
