import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findWeakness } from './password-policy.ts';

test.each([
  ['password', /too common/],
  ['QWERTYUIOP', /too common/],
  ['1234567890', /too common/],
  ['Grandkids', /too common/],
  ['zzzzzzz1', /too common/],
  ['!qaz2wsx', /too common/],
  ['ｐａｓｓｗｏｒｄ', /too common/],
  ['annika99', /similar to the username/],
  ['Annika-Annika', /similar to the username/],
  ['interviews2026!', /guess from this product/],
  ['Video.Interview.1', /guess from this product/],
  ['Recruiting-2026', /guess from this product/],
])('%s is rejected for the account annika', async (password, reason) => {
  expect(await findWeakness(password, 'annika')).toMatch(reason);
});

test.each(['annika likes rain', 'an interview with the tide', 'a password', '73 94 61 05 28', '私のパスワードは長い'])(
  '%s is accepted',
  async (password) => {
    expect(await findWeakness(password, 'annika')).toBeNull();
  },
);

test('all 17,950 listed breached passwords are rejected, but combinations of two are accepted', async () => {
  const list = gunzipSync(await readFile(new URL('./breached-passwords.txt.gz', import.meta.url))).toString('utf8');
  const passwords = list.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  expect(passwords).toHaveLength(17_950);
  for (const known of [passwords[0], passwords[9_000], passwords.at(-1)])
    expect(await findWeakness(known ?? '', 'annika')).toMatch(/too common/);
  const [first = '', second = ''] = passwords.slice(5_000);
  for (const unknown of [`${first}\n${second}`, `${first}${second}`, '\n'.repeat(9)])
    expect(await findWeakness(unknown, 'annika')).toBeNull();
});
