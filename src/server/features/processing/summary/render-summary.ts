import { formatDuration } from '#contracts/rules/duration.ts';
import { TEXT_LIMIT } from '#contracts/rules/limits.ts';
import { EXPECTATION_LABELS, type SummaryQuote, type SummaryStructure, VERDICT_LABELS } from '#contracts/summaries.ts';

/** The summary as plain text that staff read, edit and send on. */
export function renderSummary({ overview, expectations, openQuestions }: SummaryStructure): string {
  const sections = [
    `Overview\n${overview.trim()}`,
    ...expectations.map(expectationText),
    ...(openQuestions.length > 0 ? [`Open questions\n${openQuestions.map(bullet).join('\n')}`] : []),
  ];
  return sections.join('\n\n').slice(0, TEXT_LIMIT).toWellFormed();
}

const expectationText = ({ field, verdict, note, quotes }: SummaryStructure['expectations'][number]) =>
  [
    `${EXPECTATION_LABELS[field]}: ${VERDICT_LABELS[verdict]}`,
    ...(note ? [oneLine(note)] : []),
    ...quotes.map((quote) => bullet(quoteText(quote))),
  ].join('\n');

const quoteText = ({ text, startSeconds }: SummaryQuote) =>
  startSeconds === null ? `“${text}”` : `[${formatDuration(Math.floor(startSeconds))}] “${text}”`;

const bullet = (text: string) => `- ${oneLine(text)}`;

/** A line of its own must not look like one of our headings. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
