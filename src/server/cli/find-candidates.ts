import type { FoundCandidate } from '#server/features/candidates/candidates.service.ts';
import { plural } from './export-candidate.ts';
import type { OpenedCandidates } from './open-candidates.ts';

/** More would scroll away; a longer text finds fewer. */
const MAX_SHOWN = 100;

/** Lists the interviews that match the text, with their ids and emails for an export or erasure. */
export async function findCandidates({ candidates }: OpenedCandidates, text: string): Promise<string> {
  const found = await candidates.search(text);
  const more = found.length - MAX_SHOWN;
  return [
    `${plural(found.length, 'interview')} found.`,
    ...found.slice(0, MAX_SHOWN).map(describeFound),
    ...(more > 0 ? [`${more} more are not shown. Search for a longer text.`] : []),
  ].join('\n');
}

function describeFound({ id, candidate, interview, deletedAt }: FoundCandidate): string {
  const person = [candidate.name, candidate.email, candidate.phone].filter((part) => part !== null && part !== '');
  const origin = interview
    ? `"${interview.title}" in ${interview.funnel}, recorded ${day(interview.recordedAt)}`
    : deletedAt
      ? `deleted with its funnel ${day(deletedAt)}`
      : 'an upload that is not an interview yet';
  return `  ${printable(id)}: ${printable(person.join(', ') || 'no name, email or phone')}\n    ${printable(origin)}`;
}

const day = (moment: Date) => moment.toISOString().slice(0, 10);

/** Candidates choose their names: control characters must not reach the terminal. */
const printable = (text: string): string => text.replace(/\p{C}+/gu, ' ');
