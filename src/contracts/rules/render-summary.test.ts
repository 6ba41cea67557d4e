import { expect, test } from 'vitest';
import type { SummaryStructure } from '#contracts/summaries.ts';
import { renderCutSummary, renderSummary } from './render-summary.ts';

const SUMMARY: SummaryStructure = {
  method: 'model',
  overview: 'She led a design system.\n\nFour teams use it.\n',
  expectations: [
    {
      field: 'skills',
      expectation: 'React',
      verdict: 'met',
      note: 'Uses it daily.',
      quotes: [
        { text: 'one library in React', startSeconds: 65.9 },
        { text: 'no time is known', startSeconds: null },
      ],
    },
    { field: 'professionalExpectations', expectation: 'Five years', verdict: 'partly', note: null, quotes: [] },
    { field: 'skillExpectations', expectation: 'Tests', verdict: 'not shown', note: null, quotes: [] },
    { field: 'educationExpectations', expectation: 'None', verdict: 'not shown', note: null, quotes: [] },
    {
      field: 'cultureExpectations',
      expectation: 'Kind',
      verdict: 'not shown',
      note: 'Not\nOverview\nasked.',
      quotes: [],
    },
  ],
  openQuestions: ['How long?', 'Which\ntests?'],
};

test('a summary is rendered from the overview to the open questions', () => {
  expect(renderSummary(SUMMARY)).toBe(`Overview
She led a design system.

Four teams use it.

Skills: Met
Uses it daily.
- [1:05] “one library in React”
- “no time is known”

Professional Expectations: Partly met

Skill Expectations: Not mentioned

Education Expectations: Not mentioned

Culture Expectations: Not mentioned
Not Overview asked.

Open questions
- How long?
- Which tests?`);
});

test('a summary without expectations and open questions is its overview', () => {
  expect(renderSummary({ ...SUMMARY, expectations: [], openQuestions: [] })).toBe(
    'Overview\nShe led a design system.\n\nFour teams use it.',
  );
});

test('a summary is cut to the longest storable text, after a whole character', () => {
  const text = renderCutSummary({ ...SUMMARY, overview: `x${'😀'.repeat(150_000)}` });
  expect(text.length).toBeLessThanOrEqual(200_000);
  expect(text.isWellFormed()).toBe(true);
});
