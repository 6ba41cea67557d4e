import { formatDuration } from '#contracts/rules/duration.ts';
import type { ExpectationField, SummaryQuote, SummaryStructure, Verdict } from '#contracts/summaries.ts';

const LABELS: Record<ExpectationField, string> = {
  skills: 'Skills',
  professionalExpectations: 'Professional Expectations',
  skillExpectations: 'Skill Expectations',
  educationExpectations: 'Education Expectations',
  cultureExpectations: 'Culture Expectations',
};
const VERDICT_TEXTS: Record<Verdict, string> = { met: 'Met', partly: 'Partly met', 'not shown': 'Not shown' };

/** What `summaryText` may hold. */
const LONGEST_TEXT = 200_000;

/** The summary as plain text that staff read, edit and send on. */
export function renderSummary({ overview, expectations, openQuestions }: SummaryStructure): string {
  const sections = [
    `Overview\n${overview.trim()}`,
    ...expectations.map(expectationText),
    ...(openQuestions.length > 0 ? [`Open questions\n${openQuestions.map(bullet).join('\n')}`] : []),
  ];
  return sections.join('\n\n').slice(0, LONGEST_TEXT).toWellFormed();
}

const expectationText = ({ field, verdict, note, quotes }: SummaryStructure['expectations'][number]) =>
  [
    `${LABELS[field]}: ${VERDICT_TEXTS[verdict]}`,
    ...(note ? [oneLine(note)] : []),
    ...quotes.map((quote) => bullet(quoteText(quote))),
  ].join('\n');

const quoteText = ({ text, startSeconds }: SummaryQuote) =>
  startSeconds === null ? `“${text}”` : `[${formatDuration(Math.floor(startSeconds))}] “${text}”`;

const bullet = (text: string) => `- ${oneLine(text)}`;

/** A line of its own must not look like one of our headings. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
