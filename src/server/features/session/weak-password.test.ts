import { expect, test } from 'vitest';
import { weaknessOf } from './weak-password.ts';

test.each([
  ['password', /most used/],
  ['QWERTYUIOP', /most used/],
  ['1234567890', /most used/],
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
