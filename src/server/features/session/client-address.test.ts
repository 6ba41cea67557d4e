import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf } from './client-address.ts';

const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xff_ff }));
const groups = fc.array(group, { minLength: 8, maxLength: 8 });
const hex = (group: number) => group.toString(16);
const dotted = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** An address in the ways that it may be written. */
function waysOf(all: number[]): string[] {
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

test('an address of IPv6 counts as its /64, in whatever way it is written', () => {
  fc.assert(
    fc.property(groups, (all) => {
      fc.pre(!isMapped(all));
      for (const way of waysOf(all))
        expect([way, networkOf(way)]).toEqual([way, `${all.slice(0, 4).map(hex).join(':')}::/64`]);
    }),
  );
});

test('two addresses count as one exactly when they share their /64', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      fc.pre(![one, other].some((address) => IPV4_IN_IPV6.check(address, 'ipv6')));
      const block = new BlockList();
      block.addSubnet(one, 64, 'ipv6');
      expect(networkOf(one) === networkOf(other)).toBe(block.check(other, 'ipv6'));
    }),
  );
});

test('each address of IPv4 counts by itself, and whatever is no address is left as it is', () => {
  fc.assert(
    fc.property(fc.tuple(group, group), fc.string(), ([high, low], text) => {
      const address = dotted(high, low);
      expect(networkOf(address)).toBe(address);
      for (const way of waysOf([...MAPPED, high, low])) expect([way, networkOf(way)]).toEqual([way, address]);
      if (!isIPv6(text.split('%')[0] ?? '')) expect(networkOf(text)).toBe(text);
    }),
  );
});
