import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf, siteOf } from './networks.ts';

const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xff_ff }));
const groups = fc.array(group, { minLength: 8, maxLength: 8 });
const hex = (group: number) => group.toString(16);
const dotted = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** Returns an address in different notations. */
function notationsOf(all: number[]): string[] {
  const plain = all.map(hex).join(':');
  const mixed = `${all.slice(0, 6).map(hex).join(':')}:${dotted(all[6], all[7])}`;
  const shortened = [plain, mixed].flatMap((text) => [text.replace(/(^|:)(0:)+/, '::'), text.replace(/(:0)+$/, '::')]);
  const padded = all.map((group) => hex(group).padStart(4, '0').toUpperCase()).join(':');
  return [plain, mixed, padded, `${plain}%eth0`, ...shortened].filter((text) => isIPv6(text));
}

const MAPPED = [0, 0, 0, 0, 0, 0xff_ff];
const IPV4_IN_IPV6 = new BlockList();
IPV4_IN_IPV6.addSubnet('::ffff:0:0', 96, 'ipv6');
const isMapped = (all: number[]) => MAPPED.every((group, place) => all[place] === group);

test('an IPv6 address counts as its /64 network in any notation', () => {
  fc.assert(
    fc.property(groups, (all) => {
      fc.pre(!isMapped(all));
      for (const notation of notationsOf(all))
        expect([notation, networkOf(notation)]).toEqual([notation, `${all.slice(0, 4).map(hex).join(':')}::/64`]);
    }),
  );
});

test('two IPv6 addresses count as one exactly when they share their /64 network', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      fc.pre(![one, other].some((address) => IPV4_IN_IPV6.check(address, 'ipv6')));
      const block = new BlockList();
      block.addSubnet(one, 64, 'ipv6');
      expect(networkOf(one) === networkOf(other)).toBe(block.check(other, 'ipv6'));
    }),
  );
});

test('each IPv4 address counts separately, and other text is returned unchanged', () => {
  fc.assert(
    fc.property(fc.tuple(group, group), fc.string(), ([high, low], text) => {
      const address = dotted(high, low);
      expect(networkOf(address)).toBe(address);
      for (const notation of notationsOf([...MAPPED, high, low]))
        expect([notation, networkOf(notation)]).toEqual([notation, address]);
      if (!isIPv6(text.split('%')[0] ?? '')) expect(networkOf(text)).toBe(text);
    }),
  );
});

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'not an address'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['203.0.113.5', '203.0.113.5'],
])('the site of %s is %s', (network, site) => {
  expect(siteOf(network)).toBe(site);
});
