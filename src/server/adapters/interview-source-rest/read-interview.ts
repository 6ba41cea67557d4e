import { z } from 'zod';
import type { Question } from '#contracts/interviews.ts';
import { LONGEST_SECONDS } from '#contracts/rules/limits.ts';
import type { SourceInterview, UnreadableItem } from '#server/ports/interview-source.ts';
import { cleanMoment, cleanText, cleanUrl } from '../service-words/clean-text.ts';
import { readTranscript } from './read-transcript.ts';

const LONGEST_ID = 200;
const LONGEST_LINE = 1_000;
const LONGEST_TEXT = 50_000;
const MOST_QUESTIONS = 500;

/** JSON has no infinity, but `1e999` parses to one. */
const amount = z
  .number()
  .or(z.literal([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]))
  .nullish();
const text = z.string().nullish();

/** The contract's item: everything but `id` may be missing or null, what we do not know is ignored, but a wrong type is no item. */
const Item = z.object({
  id: z.string(),
  title: text,
  description: text,
  candidate: z.object({ name: text, email: text, phone: text }).nullish(),
  recordedAt: text,
  createdAt: text,
  updatedAt: text,
  durationSeconds: amount,
  url: text,
  videoUrl: text,
  thumbnailUrl: text,
  questions: z.array(z.object({ position: amount, question: text })).nullish(),
  // Not worth losing an interview for: what is no transcript is none.
  transcript: z.unknown().optional(),
});
type Item = z.infer<typeof Item>;

/** Reads one item of a list. `place` names it when it has no id: `#` and its number in the whole list. */
export function readInterview(raw: unknown, place: string): SourceInterview | UnreadableItem {
  const item = Item.safeParse(raw);
  if (!item.success) return { ...namesOf(raw, place), reason: reasonOf(item.error.issues[0], raw) };
  const wrongId = idProblem(item.data.id);
  if (wrongId) return { ...namesOf(raw, place), reason: wrongId };
  return inOurWords(item.data);
}

export const isUnreadable = (item: SourceInterview | UnreadableItem): item is UnreadableItem => 'reason' in item;

function inOurWords(item: Item): SourceInterview {
  return {
    id: item.id,
    title: cleanText(item.title, LONGEST_LINE),
    description: cleanText(item.description, LONGEST_TEXT),
    candidateName: cleanText(item.candidate?.name, LONGEST_LINE),
    candidateEmail: cleanText(item.candidate?.email, LONGEST_LINE),
    candidatePhone: cleanText(item.candidate?.phone, LONGEST_LINE),
    recordedAt: cleanMoment(item.recordedAt),
    createdAt: cleanMoment(item.createdAt),
    updatedAt: cleanMoment(item.updatedAt),
    durationSeconds: seconds(item.durationSeconds),
    url: cleanUrl(item.url),
    videoUrl: cleanUrl(item.videoUrl),
    thumbnailUrl: cleanUrl(item.thumbnailUrl),
    questions: questionsOf(item),
    transcript: readTranscript(item.transcript),
  };
}

/** 0, which means unknown, for what cannot be the length of a recording. */
function seconds(given: number | null | undefined): number {
  const whole = Math.round(given ?? 0);
  return whole > 0 && whole <= LONGEST_SECONDS ? whole : 0;
}

function questionsOf({ questions }: Item): Question[] {
  return (questions ?? [])
    .slice(0, MOST_QUESTIONS)
    .map(({ position, question }, index) => ({
      position: Number.isSafeInteger(position) ? (position as number) : index,
      question: cleanText(question, LONGEST_TEXT) ?? '',
    }))
    .filter(({ question }) => question !== '')
    .sort((a, b) => a.position - b.position);
}

function idProblem(id: string): string | null {
  if (id.trim() === '') return 'The id is empty.';
  if (id.length > LONGEST_ID) return `The id is longer than ${LONGEST_ID} characters.`;
  return /\p{Cc}/u.test(id) || !id.isWellFormed() ? 'The id contains characters that no id can have.' : null;
}

/** What can be said of an item that cannot be read. */
function namesOf(raw: unknown, place: string): { id: string; title: string | null } {
  const { id, title } = (raw ?? {}) as { id?: unknown; title?: unknown };
  const known = typeof id === 'number' ? String(id) : id;
  return {
    id: typeof known === 'string' && !idProblem(known) ? known : place,
    title: typeof title === 'string' ? cleanText(title, LONGEST_LINE) : null,
  };
}

const NAMES: Record<string, string> = { string: 'a text', number: 'a number', object: 'an object', array: 'a list' };

function reasonOf(issue: z.core.$ZodIssue | undefined, raw: unknown): string {
  const path = (issue?.path ?? []).reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : name ? `${name}.${String(key)}` : String(key)),
    '',
  );
  if (!path) return 'The item is not an object.';
  if (path === 'id' && ((raw as { id?: unknown }).id ?? null) === null) return 'The item has no id.';
  const expected = issue?.code === 'invalid_type' ? issue.expected : 'number';
  return `${path} is not ${NAMES[expected] ?? 'what it should be'}.`;
}
