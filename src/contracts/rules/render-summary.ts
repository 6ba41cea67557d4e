import { formatDuration } from '#contracts/rules/format.ts';
import { MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import { EXPECTATION_LABELS, type SummaryQuote, type SummaryStructure, VERDICT_LABELS } from '#contracts/summaries.ts';

/** Renders the summary as plain text that staff read, edit and send. */
export function renderSummary({ overview, expectations, openQuestions }: SummaryStructure): string {
  const sections = [
    `Overview\n${overview.trim()}`,
    ...expectations.map(expectationText),
    ...(openQuestions.length > 0 ? [`Open questions\n${openQuestions.map(bullet).join('\n')}`] : []),
  ];
  return sections.join('\n\n');
}

/** Cut to the longest text that can be stored. */
export const renderCutSummary = (structure: SummaryStructure): string =>
  renderSummary(structure).slice(0, MAX_TEXT_LENGTH).toWellFormed();

const expectationText = ({ field, verdict, note, quotes }: SummaryStructure['expectations'][number]) =>
  [
    `${EXPECTATION_LABELS[field]}: ${VERDICT_LABELS[verdict]}`,
    ...(note ? [oneLine(note)] : []),
    ...quotes.map((quote) => bullet(quoteText(quote))),
  ].join('\n');

const quoteText = ({ text, startSeconds }: SummaryQuote) =>
  startSeconds === null ? `“${text}”` : `[${formatDuration(Math.floor(startSeconds))}] “${text}”`;

const bullet = (text: string) => `- ${oneLine(text)}`;

/** Line breaks could make a text look like one of our headings. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
