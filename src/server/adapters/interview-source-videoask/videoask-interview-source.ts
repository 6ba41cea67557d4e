import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { interviewsError } from '#server/adapters/interview-source-rest/call-error.ts';
import { cleanText } from '#server/adapters/outside-http/clean-text.ts';
import {
  type InterviewSource,
  isInRange,
  type SourceAccess,
  type SourceInterview,
  type UnreadableItem,
} from '#server/ports/interview-source.ts';
import { Answer, type Contact, Form, readContact, recordedAt, toInterview } from './read-videoask.ts';
import { VideoAskClient, type VideoAskClientOptions } from './videoask-client.ts';

export interface VideoAskSourceOptions extends VideoAskClientOptions {
  pageSize?: number;
}

const PAGE_SIZE = 200;
const ANSWERS_PAGE_SIZE = 100;
const MAX_ANSWERS = 200_000;
const MAX_CONTACTS = 1_000_000;
const MAX_LINE_LENGTH = 1_000;
/** The details of a contact may be read 50 times in 5 minutes, so they only fill gaps. */
const MAX_GAPS_PER_PAGE = 20;
/** Forms whose answers are kept between the pages of a refresh. */
const MAX_FORMS = 4;
const FORM_AGE_MS = 10 * 60_000;

const Cursor = z.object({ offset: z.int().nonnegative(), found: z.int().nonnegative() });
const List = z.object({
  // A larger total counts as 0, because a longer list is not read.
  count: z.int().nonnegative().max(MAX_CONTACTS).catch(0),
  next: z.unknown(),
  results: z.array(z.unknown()),
});
const Forms = z.union([z.array(z.unknown()), z.object({ results: z.array(z.unknown()) })]);
const ListedForm = z.object({ form_id: z.string().min(1).max(200), title: z.string().nullish().catch(null) });
const Details = z.object({ answers: z.array(z.unknown()).nullish().catch(null) });

interface ReadForm {
  form: Form;
  /** The answers of each contact. Read for the first page that needs them. */
  answers: Promise<Map<string, Answer[]>> | null;
}

/** VideoAsk: contacts in numbered pages, and the answers of all contacts for each question. */
export function videoaskInterviewSource({ pageSize = PAGE_SIZE, ...options }: VideoAskSourceOptions): InterviewSource {
  const client = new VideoAskClient(options);
  const { vendor } = client;
  const forms = new LRUCache<string, ReadForm>({ max: MAX_FORMS, ttl: FORM_AGE_MS });

  const formPath = ({ funnelId }: SourceAccess) => `/forms/${encodeURIComponent(funnelId.toWellFormed())}`;

  async function readForm(access: SourceAccess, signal: AbortSignal): Promise<Form> {
    // `.` and `..` in a path lead to another address, even when they are encoded.
    const body = /^\.{0,2}$/.test(access.funnelId) ? null : await client.get(formPath(access), access, signal);
    if (body === null)
      throw interviewsError(
        'not_found',
        `VideoAsk has no form "${access.funnelId}" in this organization. Check the API key and the Funnel ID.`,
      );
    const form = Form.safeParse(body);
    if (!form.success) throw vendor.badAnswer();
    return form.data;
  }

  async function readList(
    access: SourceAccess,
    path: string,
    at: { limit: number; offset: number },
    signal: AbortSignal,
  ) {
    const separator = path.includes('?') ? '&' : '?';
    const body = await client.get(`${path}${separator}limit=${at.limit}&offset=${at.offset}`, access, signal);
    const list = List.safeParse(body ?? { results: [], next: null });
    if (!list.success || list.data.results.length > at.limit) throw vendor.badAnswer();
    return list.data;
  }

  /** Caches the form for further pages. The first page of a refresh reads it again. */
  async function formOf(access: SourceAccess, isFirstPage: boolean, signal: AbortSignal): Promise<ReadForm> {
    const key = `${access.apiKey} ${access.funnelId}`;
    const known = isFirstPage ? undefined : forms.get(key);
    if (known) return known;
    const read = { form: await readForm(access, signal), answers: null };
    forms.set(key, read);
    return read;
  }

  /** Yields pages with the answers of all contacts to one question. */
  async function* answersTo(access: SourceAccess, questionId: string, signal: AbortSignal): AsyncGenerator<Answer[]> {
    const path = `/questions/${encodeURIComponent(questionId)}/answers`;
    for (let offset = 0; ; ) {
      const { results, next } = await readList(access, path, { limit: ANSWERS_PAGE_SIZE, offset }, signal);
      yield answersIn(results).map((answer) => ({ ...answer, question_id: questionId }));
      offset += results.length;
      if (results.length === 0 || !next) return;
      if (offset > MAX_ANSWERS) throw vendor.endless(offset);
    }
  }

  async function readAnswers(access: SourceAccess, form: Form, signal: AbortSignal): Promise<Map<string, Answer[]>> {
    const all: Answer[] = [];
    for (const { question_id } of form.questions)
      for await (const answers of answersTo(access, question_id, signal)) all.push(...answers);
    return Map.groupBy(all, ({ contact_id }) => contact_id ?? '');
  }

  async function answersOf(access: SourceAccess, read: ReadForm, signal: AbortSignal): Promise<Map<string, Answer[]>> {
    read.answers ??= readAnswers(access, read.form, signal);
    return read.answers.catch((error: unknown) => {
      read.answers = null;
      throw error;
    });
  }

  async function readDetails(access: SourceAccess, id: string, signal: AbortSignal) {
    const path = `${formPath(access)}/contacts/${encodeURIComponent(id)}?include_answers=true`;
    const body = /^\.{0,2}$/.test(id) ? null : await client.get(path, access, signal);
    if (body === null) return null;
    const contact = readContact(body, id);
    const details = Details.safeParse(body);
    return 'reason' in contact ? null : { contact, answers: answersIn(details.data?.answers ?? []) };
  }

  /** Reads the missing answers one by one, as many as the service allows. */
  async function fillGaps(access: SourceAccess, gaps: readonly Contact[], form: Form, signal: AbortSignal) {
    const interviews: SourceInterview[] = [];
    for (const contact of gaps.slice(0, MAX_GAPS_PER_PAGE)) {
      const details = await readDetails(access, contact.contact_id, signal);
      const interview = details && toInterview(contact, form, details.answers);
      if (interview) interviews.push(interview);
    }
    return interviews;
  }

  return {
    async page(access, range, cursor, signal) {
      const at = cursor === null ? { offset: 0, found: 0 } : Cursor.parse(cursor);
      if (at.offset > MAX_CONTACTS) throw vendor.endless(at.offset);
      const read = await formOf(access, cursor === null, signal);
      const path = `${formPath(access)}/contacts?status=completed`;
      const { results, next, count } = await readList(access, path, { limit: pageSize, offset: at.offset }, signal);
      const rows = results.map((raw, index) => readContact(raw, `#${at.offset + index + 1}`));
      const contacts = rows.filter((row): row is Contact => 'contact_id' in row && isInRange(recordedAt(row), range));
      const unreadable = rows.filter((row): row is UnreadableItem => 'reason' in row);
      const answers = contacts.length > 0 ? await answersOf(access, read, signal) : new Map<string, Answer[]>();
      const known = contacts.filter(({ contact_id }) => answers.has(contact_id));
      const gaps = contacts.filter(({ contact_id }) => !answers.has(contact_id));
      const interviews = [
        ...known.flatMap((row) => toInterview(row, read.form, answers.get(row.contact_id) ?? []) ?? []),
        ...(await fillGaps(access, gaps, read.form, signal)),
      ];
      const offset = at.offset + results.length;
      const found = at.found + interviews.length + unreadable.length;
      const isEnd = results.length === 0 || !next;
      const total = found + (isEnd ? 0 : Math.max(0, count - offset));
      return { interviews, unreadable, total, next: isEnd ? null : { offset, found } };
    },

    async find(access, { id }, signal) {
      const form = await readForm(access, signal);
      const details = await readDetails(access, id, signal);
      return details && toInterview(details.contact, form, details.answers);
    },

    async check(access, signal) {
      const { title } = await readForm(access, signal);
      const path = `${formPath(access)}/contacts?status=completed`;
      const { count } = await readList(access, path, { limit: 1, offset: 0 }, signal);
      return { name: cleanText(title, MAX_LINE_LENGTH) ?? access.funnelId, interviews: count };
    },

    async positions(access, signal) {
      const body = Forms.safeParse(await client.get('/forms', access, signal));
      if (!body.success) throw vendor.badAnswer();
      const listed = Array.isArray(body.data) ? body.data : body.data.results;
      return listed.flatMap((raw) => {
        const { data: form } = ListedForm.safeParse(raw);
        return form
          ? [{ id: form.form_id, name: cleanText(form.title, MAX_LINE_LENGTH) ?? form.form_id, isArchived: false }]
          : [];
      });
    },
  };
}

const answersIn = (raw: readonly unknown[]): Answer[] =>
  raw.flatMap((item) => {
    const answer = Answer.safeParse(item);
    return answer.success ? [answer.data] : [];
  });
