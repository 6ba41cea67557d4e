import { expect, test } from 'vitest';
import { withoutPort } from './client-address.ts';

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['203.0.113.5:40123', '203.0.113.5'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[::ffff:203.0.113.5]:443', '::ffff:203.0.113.5'],
  ['203.0.113.5:', null],
  ['[203.0.113.5]:443', null],
  ['203.0.113.300:443', null],
  ['unknown', null],
  ['proxy.example:443', null],
  ['', null],
])('the forwarded address in %j is %j', (text, address) => {
  expect(withoutPort(text)).toBe(address);
});
