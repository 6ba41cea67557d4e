import { expect, test } from 'vitest';
import { redactionOf } from './redact-names.ts';

const DANA = { n: 2, name: 'Dana J. Moore', email: 'Dana.Moore@example.com' };
const hidden = (text: string, candidate: Partial<typeof DANA> = {}) =>
  redactionOf('hidden', { ...DANA, ...candidate }).text(text);

test.each([
  ['Dana Moore', 'Candidate 2'],
  ['DANA   moore', 'Candidate 2'],
  ['Moore, Dana', 'Candidate 2'],
  ['Dana J. Moore for Nurses', 'Candidate 2 for Nurses'],
  ["I am Dana. Moore's my last name.", "I am Candidate 2's my last name."],
  ["Moore's team, led by dana", "Candidate 2's team, led by Candidate 2"],
  ['dana_moore-2026.mp4', 'Candidate 2-2026.mp4'],
  ['linkedin.com/in/danamoore1', 'linkedin.com/in/Candidate 21'],
  ['Write to dana.moore@EXAMPLE.com!', 'Write to [email address]!'],
  ['Dana, D-A-N-A, or D. A. N. A.', 'Candidate 2, Candidate 2, or Candidate 2.'],
  ['I spell it m o o r e', 'I spell it Candidate 2'],
  ['A/B tests, U.S.A. and a b c are kept', 'A/B tests, U.S.A. and a b c are kept'],
  ['Mooresville and J. are kept', 'Mooresville and J. are kept'],
])('a hidden name does not appear in %s', (text, expected) => {
  expect(hidden(text)).toBe(expected);
});

test.each([
  ['Zoë Müller', 'Zoe Mueller and ZOË MULLER', 'Candidate 2 and Candidate 2'],
  ['Vincent van Gogh', 'Vincent van Gogh drove a van', 'Candidate 2 drove a van'],
  ['An Li', 'An was an engineer, Li too', 'Candidate 2 was an engineer, Candidate 2 too'],
  ["Niamh O'Brien", 'Ms. O’Brien', 'Ms. Candidate 2'],
  ["Niamh O'Brien", 'Ms. Obrien', 'Ms. Candidate 2'],
  ['Anne-Marie Kowalski', 'anne marie, or Marie: Annemarie', 'Candidate 2, or Candidate 2: Candidate 2'],
  ['Ana de la Cruz', 'Ms. Delacruz or de la Cruz: de la', 'Ms. Candidate 2 or Candidate 2: de la'],
  ['Jonas Mueller', 'Jonas Müller or MULLER', 'Candidate 2 or Candidate 2'],
  ['Søren Bär', 'Soeren, Mr. Baer or Bar', 'Candidate 2, Mr. Candidate 2 or Candidate 2'],
  ['amy sue lee', 'I am Amy Sue Lee, and Sue is my name', 'I am Candidate 2, and Candidate 2 is my name'],
  ['li wei', 'Li Wei? Li!', 'Candidate 2? Candidate 2!'],
  ['van morrison', 'Van Morrison has a van', 'Candidate 2 has a Candidate 2'],
  ['van Gogh, Vincent', 'Vincent van Gogh drove a van', 'Candidate 2 drove a van'],
  ['王小明', '我叫王小明你好', '我叫Candidate 2你好'],
  ['Dana Weber', 'Danas Team und Webers Erfahrung', 'Candidate 2 Team und Candidate 2 Erfahrung'],
  ['ليلى حداد', 'أنا ليلى حداد، وليلى وعمل حداد', 'أنا Candidate 2، Candidate 2 وعمل Candidate 2'],
  ['דנה מור', 'אני דנה, ולדנה של מור', 'אני Candidate 2 של Candidate 2'],
])('the name %s is found', (name, text, expected) => {
  expect(hidden(text, { name })).toBe(expected);
});

test('a name in another script is also hidden as its email address spells it', () => {
  const layla = { name: 'ليلى حداد', email: 'layla.haddad@example.com' };
  expect(hidden('My name is Layla Haddad, not LaylaHaddad', layla)).toBe('My name is Candidate 2, not Candidate 2');
  expect(redactionOf('first', { n: 2, ...layla }).text('Ms. Haddad, Layla')).toBe('Ms. ليلى');
  expect(hidden('An office for jobs', { name: 'Ann Lee', email: 'jobs.office@example.com' })).toBe(
    'An office for jobs',
  );
});

test.each([
  ['entities', 'Ren&eacute;e M&uuml;ller, Ren&#233;e, M&#xFC;ller'],
  ['entities twice', 'Ren&amp;eacute;e'],
  ['entities three times', 'Ren&amp;amp;eacute;e'],
  ['a URL in a URL', 'https://example.com/?to=ren%25C3%25A9e-m%252525c3%252525bcller'],
  ['a URL', 'https://example.com/in/ren%C3%A9e-m%c3%bcller'],
  ['UTF-8 that was read as another encoding', 'RenÃ©e MÃ¼ller'],
  ['escapes', 'Ren\\u00e9e M\\u00FCller'],
  ['invisible characters', 'Re\u00adn\u00e9e M\u200b\u00fcl\u2060ler'],
  ['composed and other letters', 'Rene\u0301e \u{1D40C}\u{1D42E}\u{1D425}\u{1D425}\u{1D41E}\u{1D42B}'],
  ['mail headers', '=?UTF-8?Q?Ren=C3=A9e_M=C3=BCller?='],
])('a hidden name does not appear in %s', (_encoding, text) => {
  const shown = hidden(`Hello ${text}!`, { name: 'Ren\u00e9e M\u00fcller' });
  expect(shown).toContain('Candidate 2');
  expect(shown).not.toMatch(/ren|ller|\u{1D40C}/iu);
});

test('texts keep markup and numbers in percent', () => {
  const text = 'Is <b> &lt; 5 &amp; > 3? 100%25 of C&A, 10+10=20, \\u003c and %3Cscript%3E';
  expect(hidden(text)).toBe(text);
});

test('with the first name shown, other names are hidden', () => {
  const { name, text } = redactionOf('first', DANA);
  expect(name).toBe('Dana');
  expect(text('Dana Moore, or Dana, or Ms. Moore (dana.moore@example.com, danamoore)')).toBe(
    'Dana, or Dana, or Ms. Dana ([email address], Dana)',
  );
});

test.each([
  ['Moore, Dana', 'Dana'],
  ['Dr. Dana Moore', 'Dana'],
  ['Dana', 'Dana'],
  ['Moore, Dr. Dana', 'Dana'],
  ['Dr. Moore', 'Candidate 2'],
])('the first name of %s is %s', (name, first) => {
  expect(redactionOf('first', { ...DANA, name }).name).toBe(first);
});

test('a full name changes nothing, and an unknown name has a number', () => {
  expect(redactionOf('full', DANA).text('Dana Moore')).toBe('Dana Moore');
  expect(redactionOf('full', { ...DANA, name: null }).name).toBe('Candidate 2');
  expect(redactionOf('hidden', { n: 2, name: null, email: 'dm85@x.org' }).text('dm85@x.org')).toBe('[email address]');
  expect(hidden('I am Dana Moore.', { name: null as never })).toBe('I am Candidate 2.');
});
