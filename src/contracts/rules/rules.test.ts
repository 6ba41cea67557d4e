import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokenMarkup, wellMarked } from '#support/question-markup.ts';
import { type BadgeFacts, badgesOf } from './badges.ts';
import { buildDestination, destinationUrl, parseDestination } from './destination.ts';
import { formatDuration, progressPercent } from './format.ts';
import { plainText } from './plain-text.ts';
import { splitDestination } from './split-destination.ts';

const NOTHING: BadgeFacts = {
  youtubeId: null,
  youtubeStatus: null,
  transcriptionStatus: null,
  summaryStatus: null,
  destinationId: null,
};

test.for<[Partial<BadgeFacts>, string[]]>([
  [{}, ['new']],
  [{ youtubeStatus: 'in-progress' }, ['new', 'processing']],
  [{ transcriptionStatus: 'completed' }, ['pending']],
  [{ transcriptionStatus: 'completed', summaryStatus: 'in-progress' }, ['processing']],
  [{ youtubeId: 'yt', youtubeStatus: 'completed', destinationId: 'BUB-A-1' }, ['sent']],
  [{ destinationId: 'BUB-A-1' }, ['sent']],
  [{ summaryStatus: 'failed' }, ['new', 'error']],
  [{ youtubeId: 'yt', youtubeStatus: 'completed', transcriptionStatus: 'failed' }, ['pending', 'error']],
  [
    { destinationId: 'BUB-A-1', transcriptionStatus: 'failed', summaryStatus: 'in-progress' },
    ['processing', 'sent', 'error'],
  ],
])('the badges of %o are %o', ([facts, badges]) => {
  expect(badgesOf({ ...NOTHING, ...facts })).toEqual(badges);
});

describe('a pasted destination', () => {
  const ACME = { employerId: 'ACME', jobId: '2026-07' };

  test.each([
    [' BUB-ACME-2026-07\n', undefined],
    ['https://ats.example.com/employers/ACME/jobs/2026-07', undefined],
    ['HTTPS://ATS.example.com/employers/ACME/jobs/2026-07/?tab=notes#top', undefined],
    ['https://ats.test/app?e=ACME&j=2026-07&tab=1', 'https://ats.test/app?e={employerId}&j={jobId}'],
    ['https://ats.test/2026-07/of/ACME', 'https://ats.test/{jobId}/of/{employerId}'],
    ['https://ats.test/ACME-2026-07.html', 'https://ats.test/{employerId}-{jobId}.html'],
  ])('%s with the template %s is split', (text, template) => {
    expect(splitDestination(text, template)).toEqual(ACME);
  });

  test.each([
    'ACME',
    'BUB-ACME',
    'https://other.example.com/employers/ACME/jobs/7',
    'https://ats.example.com/employers/ACME',
    'https://ats.example.com/employers/../jobs/7',
    'https://ats.example.com/employers/%E0%A4%A/jobs/7',
    // The destination id BUB-AC-2-7 would mean job 2-7 of the employer AC.
    'https://ats.example.com/employers/AC-2/jobs/7',
  ])('%s is not split', (text) => {
    expect(splitDestination(text)).toBeNull();
  });

  test('a link built from any ids is split into the same ids', () => {
    const id = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => text === text.trim());
    fc.assert(
      fc.property(id, id, (employerId, jobId) => {
        fc.pre(!employerId.includes('-') && ![employerId, jobId].some((part) => ['', '.', '..'].includes(part)));
        const link = destinationUrl(buildDestination({ employerId, jobId }));
        expect(splitDestination(link ?? '')).toEqual({ employerId, jobId });
      }),
    );
  });
});

describe('a destination id', () => {
  test('a destination id is split at the first hyphen after its prefix', () => {
    expect(parseDestination('BUB-ACME-2026-07')).toEqual({ employerId: 'ACME', jobId: '2026-07' });
  });

  test.for([
    ...['', 'BUB', 'BUB-', 'BUB-ACME', 'BUB-ACME-', 'BUB--1', 'BUB- -1', 'ACME-1', 'bub-A-1', 'XBUB-A-1'],
    ...['BUB-..-..', 'BUB-.-1', 'BUB-..-1', 'BUB-A-.', 'BUB-A- .. '],
  ])('%o is not a destination id', (id) => {
    expect(parseDestination(id)).toBeNull();
    expect(destinationUrl(id)).toBeNull();
  });

  test('a destination id is built from any employer without a hyphen and any job, and parses back', () => {
    const filled = fc
      .string({ minLength: 1 })
      .map((text) => text.trim())
      .filter((text) => !['', '.', '..'].includes(text));
    fc.assert(
      fc.property(
        filled.filter((id) => !id.includes('-')),
        filled,
        (employerId, jobId) => {
          expect(parseDestination(buildDestination({ employerId, jobId }))).toEqual({ employerId, jobId });
        },
      ),
    );
  });

  test('the ids in the link of a destination are percent-encoded', () => {
    expect(destinationUrl('BUB-A&B-1/2', 'https://ats.example.com/{employerId}?job={jobId}')).toBe(
      'https://ats.example.com/A%26B?job=1%2F2',
    );
  });
});

test.for([
  [0, '0:00'],
  [5, '0:05'],
  [65, '1:05'],
  [600, '10:00'],
  [3_725, '62:05'],
  [59.6, '1:00'],
  [-3, '0:00'],
] as const)('%d seconds are shown as %s', ([seconds, text]) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.for([
  [0, 0, 0],
  [5, 0, 0],
  [1, 3, 33],
  [3, 3, 100],
  [7, 3, 100],
] as const)('%d of %d is %d percent', ([processed, total, percent]) => {
  expect(progressPercent(processed, total)).toBe(percent);
});

test.for([
  ['<p>Why <b>us</b>?</p><p>And why now?</p>', 'Why us? And why now?'],
  ['Tell us.<script>steal()</script>', 'Tell us.'],
  ['<style>p{}</style>A<br>B', 'A B'],
  ['a < b &amp; c &#8594; &#x1F600; &unknown;', 'a < b & c → 😀 &unknown;'],
  ['<img src="x>y" onerror=\'z\'>Why?', 'Why?'],
  ['<script>never closed', ''],
  ['', ''],
] as const)('%o as plain text is %o', ([markup, text]) => {
  expect(plainText(markup)).toBe(text);
});

test('words of two paragraphs stay apart, and inline elements do not split a word', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcÖ7🙂') }).filter(Boolean);
  const between = fc.constantFrom(
    '<br>',
    '</p><p>',
    '</div>\n<div class="x">',
    '<script>leak</script>',
    '<!-- leak -->',
  );
  const inside = fc.constantFrom('<b>', '</b>', '<span style="a > b">', '</SPAN>', "<a href='\"'>", '</code>');
  fc.assert(
    fc.property(fc.array(fc.tuple(word, inside, word, between)), (parts) => {
      expect(plainText(parts.flat().join(''))).toBe(parts.map(([first, , rest]) => first + rest).join(' '));
    }),
  );
});

test('escaped plain text is unescaped to the original', () => {
  const code = fc.constantFrom('lt', '#60', '#x3C', '#X3c', 'LT');
  fc.assert(
    fc.property(fc.string(), code, (text, lt) => {
      const markup = text.replaceAll('&', '&amp;').replaceAll('<', `&${lt};`);
      expect(plainText(markup)).toBe(text.replace(/\s+/g, ' ').trim());
    }),
  );
});

test('any markup becomes one line of well-formed text without hidden elements', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        brokenMarkup,
        wellMarked.map(({ markup }) => markup),
      ),
      (markup) => {
        const text = plainText(markup);
        expect(text).toBe(text.replace(/\s+/g, ' ').trim());
        if (markup.isWellFormed()) expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/native code|\[object/);
        if (!markup.includes('&')) expect(text).not.toMatch(/<(script|style)\b.*>/i);
      },
    ),
    { numRuns: 1_000 },
  );
});
