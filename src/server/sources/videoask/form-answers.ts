import { interviewsError } from '#server/sources/source-client.ts';
import type { Answer } from './read-videoask.ts';

const MAX_ANSWERS = 200_000;
/** The memory of all answers of a form. */
const MAX_BYTES = 32 * 2 ** 20;
/** Beyond this, transcripts of videos are left out. `find` reads them when a step needs them. */
const MAX_BYTES_WITH_TRANSCRIPTS = MAX_BYTES / 2;
/** The memory of an answer without its texts. */
const ANSWER_BYTES = 500;
const BYTES_PER_CHARACTER = 2;

/** The answers of all contacts of a form, in bounded memory. */
export class FormAnswers {
  readonly #ofContacts = new Map<string, Answer[]>();
  #read = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined for a contact without answers. */
  of(contactId: string): readonly Answer[] | undefined {
    return this.#ofContacts.get(contactId);
  }

  /** `read` also counts unusable answers. @throws UpstreamError when the form is too large */
  add(answers: readonly Answer[], read: number): void {
    this.#read += read;
    if (this.#read > MAX_ANSWERS) throw tooLarge(`has more than ${MAX_ANSWERS.toLocaleString('en-US')} answers`);
    for (const answer of answers) this.#addOne(answer);
  }

  #addOne(answer: Answer): void {
    const { contact_id: contactId, media_type: type } = answer;
    if (!contactId) return;
    const isTranscriptOptional = type === 'video' && this.#bytes > MAX_BYTES_WITH_TRANSCRIPTS;
    const kept = isTranscriptOptional ? { ...answer, transcription: null } : answer;
    this.#bytes += bytesOf(kept);
    if (this.#bytes > MAX_BYTES) throw tooLarge(`has answers of more than ${MAX_BYTES / 2 ** 20} MB`);
    const others = this.#ofContacts.get(contactId);
    if (others) others.push(kept);
    else this.#ofContacts.set(contactId, [kept]);
  }
}

/** Counts texts before they are cut, because a cut text keeps the whole one in memory. */
const bytesOf = (answer: Answer): number =>
  Object.values(answer).reduce<number>(
    (sum, value) => (typeof value === 'string' ? sum + value.length * BYTES_PER_CHARACTER : sum),
    ANSWER_BYTES,
  );

const tooLarge = (problem: string) =>
  interviewsError(
    'bad_response',
    `This form of VideoAsk ${problem}, which is too large to read. What was synced was saved. Use a new form for further candidates.`,
  );
