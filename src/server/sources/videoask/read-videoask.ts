import { z } from 'zod';
import { MAX_DURATION_SECONDS, MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import { cleanMoment, cleanText, cleanUrl, STORABLE } from '#server/adapters/outside-http/clean-text.ts';
import type { SourceInterview, SourceSegment, UnreadableItem } from '#server/ports/interview-source.ts';
import { cleanLine, cleanLongText, MAX_QUESTIONS } from '#server/sources/clean-fields.ts';
import { idProblem } from '#server/sources/id-problem.ts';

const text = z.string().nullish().catch(null);

export const Form = z.object({
  title: text,
  questions: z
    .array(
      z.object({
        question_id: z.string().min(1).max(200),
        metadata: z.object({ text }).nullish().catch(null),
      }),
    )
    .max(MAX_QUESTIONS)
    .catch([]),
});
export type Form = z.output<typeof Form>;

export const Answer = z.object({
  answer_id: z.string().max(200).regex(STORABLE),
  question_id: text,
  contact_id: text,
  media_type: text,
  media_url: text,
  media_duration: z.number().nullish().catch(null),
  transcription: text,
  input_text: text,
  text,
  poll_option_content: text,
  share_url: text,
  transcode_status: text,
});
export type Answer = z.output<typeof Answer>;

const Contact = z.object({
  contact_id: z.string(),
  name: text,
  email: text,
  phone_number: text,
  status: text,
  created_at: text,
  updated_at: text,
  thumbnail: text,
});
export type Contact = z.output<typeof Contact>;

/** `place` names a contact without an id. */
export function readContact(raw: unknown, place: string): Contact | UnreadableItem {
  const contact = Contact.safeParse(raw);
  const problem = contact.success ? idProblem(contact.data.contact_id) : 'The item has no contact_id.';
  return problem || !contact.success ? { id: place, title: null, reason: problem ?? '' } : contact.data;
}

export const recordedAt = ({ updated_at }: Contact): Date | null => cleanMoment(updated_at);

/** Null when the contact has answered nothing. */
export function toInterview(contact: Contact, form: Form, answers: readonly Answer[]): SourceInterview | null {
  const questions = form.questions.map(({ metadata }, position) => ({
    position,
    question: cleanLongText(metadata?.text) ?? '',
  }));
  const segments = form.questions.flatMap(({ question_id }, position) => {
    const answer = answers.find((given) => given.question_id === question_id);
    return answer ? [toSegment(answer, questions[position]?.question || null)] : [];
  });
  if (segments.length === 0) return null;
  const candidateName = cleanLine(contact.name);
  const [only] = segments;
  const isSingle = only !== undefined && form.questions.length === 1 && only.videoUrl !== null;
  return {
    id: contact.contact_id,
    title: [cleanLine(form.title), candidateName].filter(Boolean).join(' – ') || null,
    description: null,
    candidateName,
    candidateEmail: cleanLine(contact.email),
    candidatePhone: cleanLine(contact.phone_number),
    recordedAt: recordedAt(contact),
    createdAt: cleanMoment(contact.created_at),
    updatedAt: cleanMoment(contact.updated_at),
    durationSeconds: Math.round(segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)),
    url: cleanUrl(answers.find(({ share_url }) => share_url)?.share_url),
    videoUrl: isSingle ? only.videoUrl : null,
    thumbnailUrl: cleanUrl(contact.thumbnail),
    questions: questions.filter(({ question }) => question !== ''),
    segments: isSingle ? [] : segments,
    transcript: null,
  };
}

/** Only videos are recordings; audio, text and poll answers are text. */
function toSegment(answer: Answer, question: string | null): SourceSegment {
  const isVideo = answer.media_type === 'video';
  const url = isVideo ? cleanUrl(answer.media_url) : null;
  const isReady = !isVideo || (url !== null && isTranscoded(answer.transcode_status));
  const seconds = answer.media_duration ?? 0;
  const said = cleanText(answer.transcription, MAX_TEXT_LENGTH);
  const written = said ?? cleanText(answer.input_text ?? answer.text ?? answer.poll_option_content, MAX_TEXT_LENGTH);
  return {
    id: answer.answer_id,
    question,
    videoUrl: isReady ? url : null,
    thumbnailUrl: null,
    durationSeconds: isVideo && seconds > 0 && seconds <= MAX_DURATION_SECONDS ? seconds : 0,
    isReady,
    answerText: isVideo ? null : written,
    transcript: isVideo && said ? { text: said, segments: [] } : null,
  };
}

/** VideoAsk does not document its states. Unfinished ones contain one of these words. */
const isTranscoded = (status: string | null | undefined): boolean =>
  !/pending|process|progress|queue|start|created/i.test(status ?? '');
