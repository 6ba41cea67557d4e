import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import {
  type CreatedRange,
  type InterviewSource,
  isInRange,
  isUnreadable,
  type SourceAccess,
  type SourceCursor,
  type SourceInterview,
} from '#server/ports/interview-source.ts';
import { cleanLine } from '#server/sources/clean-fields.ts';
import { addPage, LIST_START, ListProgress } from '#server/sources/list-progress.ts';
import { interviewsError } from '#server/sources/source-client.ts';
import { FormAnswers } from './form-answers.ts';
import { Answer, type Contact, Form, readContact, recordedAt, toInterview } from './read-videoask.ts';
import { VideoAskClient, type VideoAskClientOptions } from './videoask-client.ts';

export interface VideoAskSourceOptions extends VideoAskClientOptions {
  pageSize?: number;
}

const PAGE_SIZE = 200;
const ANSWERS_PAGE_SIZE = 100;
const MAX_CONTACTS = 1_000_000;
/** The details of a contact may be read 50 times in 5 minutes, so they only fill gaps. */
const MAX_GAPS_PER_PAGE = 20;
/** The answers of forms that are kept between the pages of their refreshes, in bytes. */
const MAX_KEPT_BYTES = 48 * 2 ** 20;
const FORM_BYTES = 10_000;
const FORM_AGE_MS = 10 * 60_000;

const Cursor = ListProgress.extend({ found: z.int().nonnegative() });
const START: z.infer<typeof Cursor> = { ...LIST_START, found: 0 };
const List = z.object({
  // A larger total counts as unknown, because a longer list is not read.
  count: z.int().nonnegative().max(MAX_CONTACTS).nullable().catch(null),
  next: z.unknown(),
  results: z.array(z.unknown()),
});
const Forms = z.union([z.array(z.unknown()), z.object({ results: z.array(z.unknown()) })]);
const ListedForm = z.object({ form_id: z.string().min(1).max(200), title: z.string().nullish().catch(null) });
const Details = z.object({ answers: z.array(z.unknown()).nullish().catch(null) });

interface ReadForm {
  form: Form;
  /** The answers of each contact. Read for the first page that needs them. */
  answers: Promise<FormAnswers> | null;
}

interface ListRange {
  limit: number;
  offset: number;
}

interface ResultPage {
  results: readonly unknown[];
  /** The name of the id in each row. */
  id: 'answer_id' | 'contact_id';
  total: number | null;
  pageSize: number;
}

export const videoaskInterviewSource = (options: VideoAskSourceOptions): InterviewSource => new VideoAskSource(options);

/** VideoAsk: contacts in numbered pages, and the answers of all contacts for each question. */
class VideoAskSource implements InterviewSource {
  readonly #client: VideoAskClient;
  readonly #pageSize: number;
  readonly #forms = new LRUCache<string, ReadForm>({ maxSize: MAX_KEPT_BYTES, ttl: FORM_AGE_MS });

  constructor({ pageSize = PAGE_SIZE, ...options }: VideoAskSourceOptions) {
    this.#client = new VideoAskClient(options);
    this.#pageSize = pageSize;
  }

  async page(access: SourceAccess, range: CreatedRange, cursor: SourceCursor | null, signal: AbortSignal) {
    const at = cursor === null ? START : Cursor.parse(cursor);
    const read = await this.#formOf(access, cursor === null, signal);
    const list = await this.#readContacts(access, { limit: this.#pageSize, offset: at.rows }, signal);
    const { results, count } = list;
    const isEnd = results.length === 0 || !list.next;
    const after = isEnd
      ? null
      : this.#progressAfter(at, { results, id: 'contact_id', total: count, pageSize: this.#pageSize });
    const rows = results.map((raw, index) => readContact(raw, `#${at.rows + index + 1}`));
    const contacts = rows.filter((row): row is Contact => !isUnreadable(row) && isInRange(recordedAt(row), range));
    const unreadable = rows.filter(isUnreadable);
    const interviews = await this.#interviewsOf(access, contacts, read, signal);
    const found = at.found + interviews.length + unreadable.length;
    const left = after ? Math.max(0, (count ?? 0) - after.rows) : 0;
    if (isEnd) this.#forms.delete(formKey(access));
    return { interviews, unreadable, total: found + left, next: after && { ...after, found } };
  }

  async find(access: SourceAccess, { id }: { id: string }, signal: AbortSignal) {
    const form = await this.#readForm(access, signal);
    const details = await this.#readDetails(access, id, signal);
    return details && toInterview(details.contact, form, details.answers);
  }

  async check(access: SourceAccess, signal: AbortSignal) {
    const { title } = await this.#readForm(access, signal);
    const { count } = await this.#readContacts(access, { limit: 1, offset: 0 }, signal);
    return { name: cleanLine(title) ?? access.funnelId, interviews: count ?? 0 };
  }

  async positions(access: SourceAccess, signal: AbortSignal) {
    const forms = this.#client.vendor.parse(Forms, await this.#client.get('/forms', access, signal));
    const listed = Array.isArray(forms) ? forms : forms.results;
    return listed.flatMap((raw) => {
      const { data: form } = ListedForm.safeParse(raw);
      return form ? [{ id: form.form_id, name: cleanLine(form.title) ?? form.form_id, isArchived: false }] : [];
    });
  }

  async #readForm(access: SourceAccess, signal: AbortSignal): Promise<Form> {
    // `.` and `..` change the path of a URL, even when they are encoded.
    const body = /^\.{0,2}$/.test(access.funnelId) ? null : await this.#client.get(formPath(access), access, signal);
    if (body === null)
      throw interviewsError(
        'not_found',
        `VideoAsk has no form "${access.funnelId}" in this organization. Check the API key and the Funnel ID.`,
      );
    return this.#client.vendor.parse(Form, body);
  }

  async #readList(access: SourceAccess, path: string, at: ListRange, signal: AbortSignal) {
    const separator = path.includes('?') ? '&' : '?';
    const body = await this.#client.get(`${path}${separator}limit=${at.limit}&offset=${at.offset}`, access, signal);
    const list = this.#client.vendor.parse(List, body ?? { results: [], next: null });
    if (list.results.length > at.limit) throw this.#client.vendor.badResponse();
    return list;
  }

  #readContacts(access: SourceAccess, at: ListRange, signal: AbortSignal) {
    return this.#readList(access, `${formPath(access)}/contacts?status=completed`, at, signal);
  }

  /** Caches the form for further pages. The first page of a refresh reads it again. */
  async #formOf(access: SourceAccess, isFirstPage: boolean, signal: AbortSignal): Promise<ReadForm> {
    const known = isFirstPage ? undefined : this.#forms.get(formKey(access));
    if (known) return known;
    const read = { form: await this.#readForm(access, signal), answers: null };
    this.#forms.set(formKey(access), read, { size: FORM_BYTES });
    return read;
  }

  async #interviewsOf(access: SourceAccess, contacts: readonly Contact[], read: ReadForm, signal: AbortSignal) {
    if (contacts.length === 0) return [];
    const answers = await this.#answersOf(access, read, signal);
    const gaps = contacts.filter(({ contact_id }) => !answers.of(contact_id));
    return [
      ...contacts.flatMap((row) => toInterview(row, read.form, answers.of(row.contact_id) ?? []) ?? []),
      ...(await this.#fillGaps(access, gaps, read.form, signal)),
    ];
  }

  /** Adds the answers of all contacts to one question. */
  async #readQuestion(access: SourceAccess, id: string, into: FormAnswers, signal: AbortSignal) {
    const path = `/questions/${encodeURIComponent(id)}/answers`;
    for (let at = LIST_START; ; ) {
      const range = { limit: ANSWERS_PAGE_SIZE, offset: at.rows };
      const { results, next } = await this.#readList(access, path, range, signal);
      const answers = answersIn(results).map((answer) => ({ ...answer, question_id: id }));
      into.add(answers, results.length);
      if (results.length === 0 || !next) return;
      at = this.#progressAfter(at, { results, id: 'answer_id', total: null, pageSize: ANSWERS_PAGE_SIZE });
    }
  }

  async #readAnswers(access: SourceAccess, form: Form, signal: AbortSignal): Promise<FormAnswers> {
    const answers = new FormAnswers();
    for (const { question_id } of form.questions) await this.#readQuestion(access, question_id, answers, signal);
    return answers;
  }

  async #answersOf(access: SourceAccess, read: ReadForm, signal: AbortSignal): Promise<FormAnswers> {
    const known = read.answers;
    if (known) return known;
    const reading = this.#readAnswers(access, read.form, signal);
    read.answers = reading;
    try {
      const answers = await reading;
      const key = formKey(access);
      if (this.#forms.peek(key) === read) this.#forms.set(key, read, { size: FORM_BYTES + answers.bytes });
      return answers;
    } catch (error) {
      read.answers = null;
      throw error;
    }
  }

  /** @throws UpstreamError when the list does not end */
  #progressAfter(before: ListProgress, { results, id, ...page }: ResultPage): ListProgress {
    const ids = results.map((row) => (row as Record<string, unknown> | null)?.[id]);
    const after = addPage(before, { ids, ...page });
    if (after === null || after.rows > MAX_CONTACTS) throw this.#client.vendor.endless(before.rows + results.length);
    return after;
  }

  async #readDetails(access: SourceAccess, id: string, signal: AbortSignal) {
    const path = `${formPath(access)}/contacts/${encodeURIComponent(id)}?include_answers=true`;
    const body = /^\.{0,2}$/.test(id) ? null : await this.#client.get(path, access, signal);
    if (body === null) return null;
    const contact = readContact(body, id);
    const details = Details.safeParse(body);
    return isUnreadable(contact) ? null : { contact, answers: answersIn(details.data?.answers ?? []) };
  }

  /** Reads the missing answers one by one, as many as the service allows. */
  async #fillGaps(access: SourceAccess, gaps: readonly Contact[], form: Form, signal: AbortSignal) {
    const interviews: SourceInterview[] = [];
    for (const contact of gaps.slice(0, MAX_GAPS_PER_PAGE)) {
      const details = await this.#readDetails(access, contact.contact_id, signal);
      const interview = details && toInterview(contact, form, details.answers);
      if (interview) interviews.push(interview);
    }
    return interviews;
  }
}

const formKey = ({ apiKey, funnelId }: SourceAccess) => `${apiKey} ${funnelId}`;
const formPath = ({ funnelId }: SourceAccess) => `/forms/${encodeURIComponent(funnelId.toWellFormed())}`;

const answersIn = (raw: readonly unknown[]): Answer[] => raw.flatMap((item) => Answer.safeParse(item).data ?? []);
