import { expect, test } from 'vitest';
import { findMentions } from './find-mentions.ts';

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
