import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { weaknessOf } from './weak-password.ts';

test.each([
  ['password', /most used/],
  ['QWERTYUIOP', /most used/],
  ['1234567890', /most used/],
  ['Grandkids', /most used/],
  ['zzzzzzz1', /most used/],
  ['!qaz2wsx', /most used/],
  ['ｐａｓｓｗｏｒｄ', /most used/],
  ['annika99', /name of its account/],
  ['Annika-Annika', /name of its account/],
  ['interviews2026!', /word of this product/],
  ['Video.Interview.1', /word of this product/],
  ['Recruiting-2026', /word of this product/],
])('%s is too easy for annika', async (password, reason) => {
  expect(await weaknessOf(password, 'annika')).toMatch(reason);
});

test.each(['annika likes rain', 'an interview with the tide', 'a password', '73 94 61 05 28', '私のパスワードは長い'])(
  '%s is nothing that anybody tries first',
  async (password) => {
    expect(await weaknessOf(password, 'annika')).toBeNull();
  },
);

test('every one of the 17,950 leaked ones is known as it stands there, and no part or pair of lines is', async () => {
  const list = gunzipSync(await readFile(new URL('./breached-passwords.txt.gz', import.meta.url))).toString('utf8');
  const passwords = list.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  expect(passwords).toHaveLength(17_950);
  for (const known of [passwords[0], passwords[9_000], passwords.at(-1)])
    expect(await weaknessOf(known ?? '', 'annika')).toMatch(/most used/);
  const [first = '', second = ''] = passwords.slice(5_000);
  for (const unknown of [`${first}\n${second}`, `${first}${second}`, '\n'.repeat(9)])
    expect(await weaknessOf(unknown, 'annika')).toBeNull();
});
