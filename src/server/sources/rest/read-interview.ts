import { z } from 'zod';
import type { Question } from '#contracts/interviews.ts';
import { MAX_DURATION_SECONDS } from '#contracts/rules/limits.ts';
import { cleanMoment, cleanUrl } from '#server/adapters/outside-http/clean-text.ts';
import type { SourceInterview, UnreadableItem } from '#server/ports/interview-source.ts';
import { cleanLine, cleanLongText, MAX_QUESTIONS } from '#server/sources/clean-fields.ts';
import { idProblem } from '#server/sources/id-problem.ts';
import { readTranscript } from './read-transcript.ts';

/** JSON has no infinity, but `1e999` parses to one. */
const amount = z
  .number()
  .or(z.literal([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]))
  .nullish();
const text = z.string().nullish();
// Cut before they are checked, because each invalid one would produce an error object.
const questions = z
  .array(z.unknown())
  .transform((list) => list.slice(0, MAX_QUESTIONS))
  .pipe(z.array(z.object({ position: amount, question: text, startSeconds: z.unknown().optional() })));

/**
 * An item of the contract. Every field except `id` may be missing or null and unknown fields are
 * ignored, but a wrong type makes the item unreadable.
 */
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
  questions: questions.nullish(),
  // An invalid transcript is ignored instead of losing the interview.
  transcript: z.unknown().optional(),
});
type Item = z.infer<typeof Item>;

export interface ItemContext {
  /** Names an item without an id: `#` and its position in the whole list. */
  place: string;
  /** The id of the interview whose transcript is read. */
  transcriptOf: string | null;
}

/** Reads one item of a list. */
export function readInterview(raw: unknown, { place, transcriptOf }: ItemContext): SourceInterview | UnreadableItem {
  const item = Item.safeParse(raw);
  if (!item.success) return { ...identify(raw, place), reason: reasonOf(item.error.issues[0], raw) };
  const wrongId = idProblem(item.data.id);
  if (wrongId) return { ...identify(raw, place), reason: wrongId };
  const transcript = item.data.id === transcriptOf ? readTranscript(item.data.transcript) : null;
  return { ...toSourceInterview(item.data), transcript };
}

function toSourceInterview(item: Item): Omit<SourceInterview, 'transcript'> {
  return {
    id: item.id,
    title: cleanLine(item.title),
    description: cleanLongText(item.description),
    candidateName: cleanLine(item.candidate?.name),
    candidateEmail: cleanLine(item.candidate?.email),
    candidatePhone: cleanLine(item.candidate?.phone),
    recordedAt: cleanMoment(item.recordedAt),
    createdAt: cleanMoment(item.createdAt),
    updatedAt: cleanMoment(item.updatedAt),
    durationSeconds: toDurationSeconds(item.durationSeconds),
    url: cleanUrl(item.url),
    videoUrl: cleanUrl(item.videoUrl),
    thumbnailUrl: cleanUrl(item.thumbnailUrl),
    questions: questionsOf(item),
    segments: [],
  };
}

/** Returns 0, which means unknown, for values that cannot be the length of a recording. */
function toDurationSeconds(reported: number | null | undefined): number {
  const whole = Math.round(reported ?? 0);
  return whole > 0 && whole <= MAX_DURATION_SECONDS ? whole : 0;
}

function questionsOf({ questions }: Item): Question[] {
  return (questions ?? [])
    .map(({ position, question, startSeconds }, index) => ({
      position: Number.isSafeInteger(position) ? (position as number) : index,
      question: cleanLongText(question) ?? '',
      ...(isTime(startSeconds) && { startSeconds }),
    }))
    .filter(({ question }) => question !== '')
    .sort((a, b) => a.position - b.position);
}

/** True for a start of an answer in seconds, an extension of the contract. */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_DURATION_SECONDS;

/** Returns the id and the title of an unreadable item, if they are readable. */
function identify(raw: unknown, place: string): { id: string; title: string | null } {
  const { id, title } = (raw ?? {}) as { id?: unknown; title?: unknown };
  const known = typeof id === 'number' ? String(id) : id;
  return {
    id: typeof known === 'string' && !idProblem(known) ? known : place,
    title: typeof title === 'string' ? cleanLine(title) : null,
  };
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  object: 'an object',
  array: 'a list',
};

function reasonOf(issue: z.core.$ZodIssue | undefined, raw: unknown): string {
  const path = (issue?.path ?? []).reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : name ? `${name}.${String(key)}` : String(key)),
    '',
  );
  if (!path) return 'The item is not an object.';
  if (path === 'id' && ((raw as { id?: unknown }).id ?? null) === null) return 'The item has no id.';
  const expected = issue?.code === 'invalid_type' ? issue.expected : 'number';
  return `${path} is not ${TYPE_NAMES[expected] ?? 'valid'}.`;
}
