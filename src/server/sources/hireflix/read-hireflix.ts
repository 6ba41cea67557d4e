import { z } from 'zod';
import type { Question } from '#contracts/interviews.ts';
import { MAX_DURATION_SECONDS, MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import { cleanMoment, cleanText, cleanUrl, STORABLE } from '#server/adapters/outside-http/clean-text.ts';
import type {
  SourceInterview,
  SourceSegment,
  SourceTranscript,
  UnreadableItem,
} from '#server/ports/interview-source.ts';
import { segmentsOfWords } from '#server/ports/timed-words.ts';
import { cleanLine, cleanLongText, MAX_LINE_LENGTH, MAX_QUESTIONS } from '#server/sources/clean-fields.ts';
import { idProblem } from '#server/sources/id-problem.ts';

const MAX_WORDS = 50_000;

const text = z.string().nullish().catch(null);
/** Epoch milliseconds; some interfaces of the vendor send ISO 8601. */
const time = z
  .union([z.number(), z.string()])
  .nullish()
  .catch(null)
  .transform((value) => toMoment(value));
const Transcription = z.object({ text, words: z.array(z.unknown()).nullish().catch(null) });
const Answer = z.object({
  id: z.string().max(200).regex(STORABLE),
  url: text,
  encoded: z.boolean().nullish().catch(null),
  transcription: Transcription.nullish().catch(null),
});
const AskedQuestion = z.object({ title: text, description: text, answered: time, answer: Answer.nullish() });
const Row = z.object({
  id: z.string(),
  status: z.string(),
  createdAt: time,
  updatedAt: time,
  completedAt: time,
  completed: time,
  thumbnail: text,
  candidate: z
    .object({ fullName: text, firstName: text, lastName: text, email: text, phone: text })
    .nullish()
    .catch(null),
  url: z.object({ private: text }).nullish().catch(null),
  externalLink: z.object({ url: text }).nullish().catch(null),
  questions: z.array(AskedQuestion).max(MAX_QUESTIONS).nullish(),
});
type Row = z.output<typeof Row>;

/** `name` and `description` of the position. */
export interface Position {
  name: string | null;
  description: string | null;
}

/** Reads an interview; null without a recording. `place` names one without an id. */
export function readHireflix(raw: unknown, position: Position, place: string): SourceInterview | UnreadableItem | null {
  const row = Row.safeParse(raw);
  const { id } = (raw ?? {}) as { id?: unknown };
  const problem = typeof id === 'string' ? idProblem(id) : 'The item has no id.';
  if (!problem && row.success) return toInterview(row.data, position);
  const path = row.error?.issues[0]?.path.join('.');
  const reason = problem ?? (path ? `${path} can't be read.` : 'The item is not an object.');
  return { id: typeof id === 'string' && !problem ? id : place, title: position.name, reason };
}

function toInterview(row: Row, position: Position): SourceInterview | null {
  const asked = row.questions ?? [];
  const segments = asked.flatMap(toSegment);
  if (row.status === 'pending' || segments.length === 0) return null;
  const candidateName = nameOf(row);
  const [only] = segments;
  const isSingle = only !== undefined && asked.length === 1 && only.isReady;
  return {
    id: row.id,
    title: [position.name, candidateName].filter(Boolean).join(' – ') || null,
    description: position.description,
    candidateName,
    candidateEmail: cleanLine(row.candidate?.email),
    candidatePhone: cleanLine(row.candidate?.phone),
    recordedAt: recordedAt(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    durationSeconds: 0,
    url: cleanUrl(row.externalLink?.url) ?? cleanUrl(row.url?.private),
    videoUrl: isSingle ? only.videoUrl : null,
    thumbnailUrl: cleanUrl(row.thumbnail),
    questions: asked.map(toQuestion).filter(({ question }) => question !== ''),
    segments: isSingle ? [] : segments,
    transcript: isSingle ? only.transcript : null,
  };
}

function nameOf({ candidate }: Row): string | null {
  const parts = [candidate?.firstName, candidate?.lastName].map((part) => cleanLine(part));
  return cleanLine(candidate?.fullName) ?? (parts.filter(Boolean).join(' ') || null);
}

/** `createdAt` is the invitation, so it is the last choice. */
function recordedAt({ completedAt, completed, questions, updatedAt, createdAt }: Row): Date | null {
  const answered = (questions ?? []).flatMap((question) => question.answered?.getTime() ?? []);
  const last = answered.length > 0 ? new Date(Math.max(...answered)) : null;
  return completedAt ?? completed ?? last ?? updatedAt ?? createdAt;
}

const questionText = ({ title, description }: z.output<typeof AskedQuestion>) =>
  cleanLongText(title) ?? cleanLongText(description);

const toQuestion = (question: z.output<typeof AskedQuestion>, position: number): Question => ({
  position,
  question: questionText(question) ?? '',
});

function toSegment(question: z.output<typeof AskedQuestion>): SourceSegment[] {
  const { answer } = question;
  if (!answer) return [];
  const url = cleanUrl(answer.url);
  const isReady = answer.encoded !== false && url !== null;
  return [
    {
      id: answer.id,
      question: questionText(question),
      videoUrl: isReady ? url : null,
      thumbnailUrl: null,
      durationSeconds: 0,
      isReady,
      answerText: null,
      transcript: toTranscript(answer.transcription),
    },
  ];
}

const Word = z.object({
  text: z.string().max(MAX_LINE_LENGTH),
  start: z.number().min(0).max(MAX_DURATION_SECONDS),
  end: z.number().min(0).max(MAX_DURATION_SECONDS),
});

/** Keeps the text without times when the words are unreadable. */
function toTranscript(raw: z.output<typeof Transcription> | null | undefined): SourceTranscript | null {
  const spoken = cleanText(raw?.text, MAX_TEXT_LENGTH);
  if (!spoken) return null;
  const words = z
    .array(Word)
    .max(MAX_WORDS)
    .safeParse(raw?.words ?? []);
  const timed = (words.data ?? []).flatMap(({ text: word, start, end }) => {
    const clean = cleanLine(word);
    return clean ? [{ text: clean, startSeconds: start, endSeconds: Math.max(start, end) }] : [];
  });
  return {
    text: spoken,
    segments: segmentsOfWords(
      timed.sort((a, b) => a.startSeconds - b.startSeconds),
      spoken,
    ),
  };
}

function toMoment(value: number | string | null | undefined): Date | null {
  if (value === null || value === undefined) return null;
  const milliseconds = typeof value === 'string' && /^\d{12,14}$/.test(value) ? Number(value) : value;
  if (typeof milliseconds === 'string') return cleanMoment(milliseconds);
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : null;
}
