import { expect, test } from 'vitest';
import { findBegunMention, findMentions } from './mentions.ts';

const ACCOUNTS = ['ann', 'ann.smith', 'bob', 'Zoë Bauer', 'carl@example.com'].map((username, id) => ({ id, username }));

test.each([
  ['@ann look', ['ann']],
  ['Look, @ANN, and @bob!', ['ann', 'bob']],
  ['@ann.smith', ['ann.smith']],
  ['@ann. Then', ['ann']],
  ['(@zoë bauer)', ['Zoë Bauer']],
  ['@carl@example.com', ['carl@example.com']],
  ['@anna, bob@ann, @ bob, ann', []],
  ['@bob @bob', ['bob']],
])('%j mentions %j', (text, names) => {
  expect(findMentions(text, ACCOUNTS).map((id) => ACCOUNTS[id]?.username)).toEqual(names);
});

const NAMES = ACCOUNTS.map(({ username }) => username);

test.each([
  ['@', 0, NAMES],
  ['See @A', 4, ['ann', 'ann.smith']],
  ['@ann.', 0, ['ann.smith']],
  ['@zoë b', 0, ['Zoë Bauer']],
  ['@carl@ex', 0, ['carl@example.com']],
  ['@bob and @', 9, NAMES],
])('typing %j begins a mention at %i of %j', (text, at, names) => {
  expect(findBegunMention(text, text.length, NAMES)).toEqual({ at, names });
});

test.each(['bob@', '@bob,', '@stranger', 'ann', ''])('typing %j does not begin a mention', (text) => {
  expect(findBegunMention(text, text.length, NAMES)).toBeNull();
});

test('every suggested name completes to a mention', () => {
  for (const { id, username } of ACCOUNTS) expect(findMentions(`See @${username} `, ACCOUNTS)).toEqual([id]);
});
