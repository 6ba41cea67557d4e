import { describe, expect, test } from 'vitest';
import type { ServiceInterview } from '#sandbox/interview.ts';
import type { SourceInterview, SourcePage } from '#server/ports/interview-source.ts';
import { EVERYTHING, INTERVIEW_SOURCES, never, readingFirstFunnel } from '#support/interview-source.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';

const sandbox = await sandboxOfFile();

/** Failures of the service are in interview-source-failures.test.ts. */
describe.each(Object.entries(INTERVIEW_SOURCES))('interview source: %s', (_, adapter) => {
  const { funnel, source, firstPage, calls } = readingFirstFunnel(adapter, sandbox);
  const allPages = async (pageSize: number, range = EVERYTHING) => {
    const pages: SourcePage[] = [];
    for (let next: SourcePage['next'] | undefined = null; next !== undefined; ) {
      const page: SourcePage = await source(pageSize).page(funnel(), range, next, never);
      pages.push(page);
      next = page.next ?? undefined;
    }
    return pages;
  };
  const idsOf = (pages: SourcePage[]) => pages.flatMap(({ interviews }) => interviews.map(({ id }) => id));
  /** Adds a possibly malformed interview, the only one after 2030, and reads it. */
  const readBack = async (raw: object) => {
    sandbox.control.add(funnel().funnelId, { createdAt: '2031-01-01T00:00:00Z', ...raw } as ServiceInterview);
    const page = await source().page(
      funnel(),
      { createdAfter: new Date('2030-01-01'), createdBefore: null },
      null,
      never,
    );
    return { interview: page.interviews[0] as SourceInterview, unreadable: page.unreadable, total: page.total };
  };

  /** Adds an interview and reads it with its transcript. */
  const findBack = async (raw: { id: string; transcript: unknown }) => {
    sandbox.control.add(funnel().funnelId, { createdAt: '2031-01-01T00:00:00Z', ...raw } as ServiceInterview);
    return source().find(funnel(), { id: raw.id, createdAt: new Date('2031-01-01') }, never);
  };

  test('every interview is read once, in pages, and the last page has no successor', async () => {
    const expected = sandbox.control.interviews(funnel().funnelId).map(({ id }) => id);
    const pages = await allPages(7);
    expect(idsOf(pages).sort()).toEqual(expected.sort());
    expect(pages.every(({ total }) => total === expected.length)).toBe(true);
    expect(JSON.parse(JSON.stringify(pages[0]?.next))).toEqual(pages[0]?.next);
  });

  test("a page is mapped completely from the service's fields", async () => {
    const { interview } = await readBack({
      id: 'iv_full',
      title: ' Nurse – Ana ',
      description: 'Nights',
      candidate: { name: 'Ana', email: 'ana@example.com', phone: '+1' },
      recordedAt: '2031-01-01T10:00:00+02:00',
      updatedAt: '2031-01-02T00:00:00Z',
      durationSeconds: 61.6,
      url: 'https://interviews.example.com/play/1',
      videoUrl: 'https://files.example.com/1.mp4?sig=a%2Fb',
      thumbnailUrl: 'https://files.example.com/1.jpg',
      questions: [
        { position: 1, question: 'Second' },
        { position: 0, question: '<b>First</b>' },
      ],
      transcript: 'Pages have none.',
    });
    expect(interview).toEqual({
      id: 'iv_full',
      title: 'Nurse – Ana',
      description: 'Nights',
      candidateName: 'Ana',
      candidateEmail: 'ana@example.com',
      candidatePhone: '+1',
      recordedAt: new Date('2031-01-01T08:00:00Z'),
      createdAt: new Date('2031-01-01T00:00:00Z'),
      updatedAt: new Date('2031-01-02T00:00:00Z'),
      durationSeconds: 62,
      url: 'https://interviews.example.com/play/1',
      videoUrl: 'https://files.example.com/1.mp4?sig=a%2Fb',
      thumbnailUrl: 'https://files.example.com/1.jpg',
      questions: [
        { position: 0, question: '<b>First</b>' },
        { position: 1, question: 'Second' },
      ],
      segments: [],
      transcript: null,
    });
  });

  test('every field except the id may be missing or null, and unknown fields are ignored', async () => {
    const nothing = {
      title: null,
      description: null,
      candidateName: null,
      candidateEmail: null,
      candidatePhone: null,
      recordedAt: null,
      updatedAt: null,
      durationSeconds: 0,
      url: null,
      videoUrl: null,
      thumbnailUrl: null,
      questions: [],
      segments: [],
      transcript: null,
    };
    expect((await readBack({ id: 'iv_bare', shoeSize: 44 })).interview).toMatchObject({ id: 'iv_bare', ...nothing });
    const nulls = {
      title: null,
      candidate: null,
      recordedAt: null,
      durationSeconds: null,
      videoUrl: null,
      questions: null,
      transcript: null,
    };
    expect((await readBack({ id: 'iv_bare', ...nulls })).interview).toMatchObject({ id: 'iv_bare', ...nothing });
  });

  test.each<[string, object, string]>([
    ['a length that is a text', { durationSeconds: 'long' }, 'durationSeconds is not a number.'],
    ['a title that is a number', { title: 7 }, 'title is not text.'],
    ['a date that is a number', { recordedAt: 17 }, 'recordedAt is not text.'],
    ['a candidate that is a text', { candidate: 'Ana' }, 'candidate is not an object.'],
    ['an e-mail that is a list', { candidate: { email: [] } }, 'candidate.email is not text.'],
    ['questions that are not a list', { questions: {} }, 'questions is not a list.'],
    ['a question that is a text', { questions: ['Why?'] }, 'questions[0] is not an object.'],
  ])('an item with %s is unreadable, with a reason', async (_, fields, reason) => {
    const { unreadable, interview, total } = await readBack({ id: 'iv_bad', ...fields });
    expect(interview).toBeUndefined();
    expect(total).toBe(1);
    expect(unreadable).toEqual([expect.objectContaining({ id: 'iv_bad', reason })]);
  });

  test.each<[string, object, string, string]>([
    ['no id', { id: undefined, title: 'Lost' }, '#1', 'The item has no id.'],
    ['null as its id', { id: null }, '#1', 'The item has no id.'],
    ['a number as its id', { id: 12 }, '12', 'id is not text.'],
    ['a blank id', { id: ' ' }, '#1', 'The id is empty.'],
    ['an id of 201 characters', { id: 'x'.repeat(201) }, '#1', 'The id is longer than 200 characters.'],
    ['an id with control characters', { id: 'a\nb' }, '#1', 'The id contains invalid characters.'],
    ['an id with NUL', { id: 'a\0b' }, '#1', 'The id contains invalid characters.'],
    ['the id "sync"', { id: 'sync' }, '#1', 'The id "sync" is reserved: it is part of an address of the API.'],
    ['the id "active"', { id: 'active' }, '#1', 'The id "active" is reserved: it is part of an address of the API.'],
  ])('an item with %s is unreadable and identified by its position', async (_, fields, id, reason) => {
    const { unreadable } = await readBack(fields);
    expect(unreadable).toEqual([expect.objectContaining({ id, reason })]);
  });

  test('the readable items of a page are returned despite unreadable ones', async () => {
    sandbox.control.fail({ kind: 'wrong-shape', body: { interviews: [5, null, { id: 'iv_1' }, [], 'x'], total: 5 } });
    const page = await firstPage();
    expect(page.interviews.map(({ id }) => id)).toEqual(['iv_1']);
    expect(page.unreadable.map(({ id }) => id)).toEqual(['#1', '#2', '#4', '#5']);
    expect(new Set(page.unreadable.map(({ reason }) => reason))).toEqual(new Set(['The item is not an object.']));
  });

  test('impossible values are read as unknown', async () => {
    const { interview } = await readBack({
      id: 'iv_odd',
      durationSeconds: -3,
      recordedAt: 'yesterday',
      updatedAt: '2031-13-45',
      url: 'javascript:alert(1)',
      videoUrl: 'file:///etc/passwd',
      thumbnailUrl: '',
    });
    expect(interview).toMatchObject({ durationSeconds: 0, recordedAt: null, updatedAt: null });
    expect(interview).toMatchObject({ url: null, videoUrl: null, thumbnailUrl: null });
  });

  const segment = (start: number, end: number, text: string) => ({ start, end, text });

  test.each<[string, unknown, object]>([
    ['a text', ' One.\n\nTwo.\0 ', { text: 'One.\n\nTwo.', segments: [] }],
    ['a text without times', { text: 'One.' }, { text: 'One.', segments: [] }],
    [
      'segments out of order or without text',
      { text: 'One. Two.', segments: [segment(5, 4, 'Two.'), segment(1, 2, ' One. '), segment(8, 9, ' ')] },
      {
        text: 'One. Two.',
        segments: [
          { startSeconds: 1, endSeconds: 2, text: 'One.' },
          { startSeconds: 5, endSeconds: 5, text: 'Two.' },
        ],
      },
    ],
    ['impossible times', { text: 'One.', segments: [segment(-1, 2, 'One.')] }, { text: 'One.', segments: [] }],
    ['segments that are not a list', { text: 'One.', segments: 'many' }, { text: 'One.', segments: [] }],
    ['a text of the maximum length', 'a'.repeat(200_000), { text: 'a'.repeat(200_000), segments: [] }],
  ])('a transcript with %s is read', async (_, transcript, expected) => {
    expect((await findBack({ id: 'iv_said', transcript }))?.transcript).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['a number', 7],
    ['a list', ['One.']],
    ['blank', ' '],
    ['only segments', { segments: [segment(0, 1, 'One.')] }],
    ['too long', 'a'.repeat(200_001)],
  ])('a transcript that is %s is ignored, and the interview is read', async (_, transcript) => {
    expect(await findBack({ id: 'iv_said', transcript })).toMatchObject({ id: 'iv_said', transcript: null });
  });

  test('a transcript with tens of thousands of segments is read', async () => {
    const segments = Array.from({ length: 20_000 }, (_, index) => segment(index, index + 1, 'a'));
    const found = await findBack({ id: 'iv_said', transcript: { text: 'a'.repeat(20_000), segments } });
    expect(found?.transcript?.segments).toHaveLength(20_000);
    expect(found?.createdAt).toEqual(new Date('2031-01-01T00:00:00Z'));
  });

  test('an impossibly long duration is read as unknown', async () => {
    expect((await readBack({ id: 'iv_long', durationSeconds: 1e12 })).interview.durationSeconds).toBe(0);
  });

  test('a time without a zone is read as UTC', async () => {
    const { interview } = await readBack({ id: 'iv_zone', recordedAt: '2031-05-01T12:00:00' });
    expect(interview.recordedAt).toEqual(new Date('2031-05-01T12:00:00Z'));
  });

  test('texts are shortened to their limits and lose characters that PostgreSQL refuses', async () => {
    const { interview } = await readBack({
      id: 'iv_text',
      title: 'a\0b\ud800',
      description: '😀'.repeat(60_000),
      candidate: { name: '\0' },
      questions: [{ question: 'A' }, { question: null }, { position: 0, question: 'B\0' }],
    });
    expect(interview).toMatchObject({ title: 'ab\ufffd', candidateName: null });
    expect(interview.description?.isWellFormed()).toBe(true);
    expect(interview.description?.length).toBeLessThanOrEqual(50_000);
    expect(interview.questions).toEqual([
      { position: 0, question: 'A' },
      { position: 0, question: 'B' },
    ]);
  });

  test('the start of an answer is read if the service reports it, and anything else is ignored', async () => {
    const { interview } = await readBack({
      id: 'iv_starts',
      questions: [
        { question: 'A', startSeconds: 1.5 },
        { question: 'B', startSeconds: -1 },
        { question: 'C', startSeconds: 'soon' },
      ] as object[],
    });
    expect(interview.questions).toEqual([
      { position: 0, question: 'A', startSeconds: 1.5 },
      { position: 1, question: 'B' },
      { position: 2, question: 'C' },
    ]);
  });

  test('createdAfter is exclusive and createdBefore inclusive', async () => {
    const at = (second: number) => new Date(Date.UTC(2032, 0, 1, 0, 0, second));
    for (const second of [1, 2, 3]) {
      sandbox.control.add(funnel().funnelId, { id: `iv_${second}`, createdAt: at(second).toISOString() });
    }
    const ids = async (createdAfter: Date | null, createdBefore: Date | null) =>
      idsOf(await allPages(100, { createdAfter, createdBefore })).sort();
    expect(await ids(at(1), at(3))).toEqual(['iv_2', 'iv_3']);
    expect(await ids(at(2), null)).toEqual(['iv_3']);
    expect(await ids(at(3), null)).toEqual([]);
    expect(await ids(null, at(3))).toContain('iv_1');
  });

  test('an interview that appears on two pages neither ends the listing nor hides another', async () => {
    const expected = sandbox.control.interviews(funnel().funnelId).map(({ id }) => id);
    sandbox.control.fail({ kind: 'duplicate-ids', count: 2 });
    const ids = idsOf(await allPages(10));
    expect(ids.length).toBeGreaterThan(expected.length);
    expect([...new Set(ids)].sort()).toEqual(expected.sort());
  });

  test('an empty range is one page without a successor', async () => {
    const pages = await allPages(100, { createdAfter: new Date('2099-01-01'), createdBefore: null });
    expect(pages).toEqual([{ interviews: [], unreadable: [], total: 0, next: null }]);
  });

  describe('when the total is wrong', () => {
    const twoItems = [{ id: 'iv_1' }, { id: 'iv_2' }];
    const servePage = (onPage: number, body: object) => sandbox.control.fail({ kind: 'wrong-shape', onPage, body });

    test('a full page has a successor and an empty page has none, whatever the total is', async () => {
      servePage(1, { interviews: twoItems, total: 0 });
      servePage(2, { interviews: [{ id: 'iv_3' }, { id: 'iv_4' }], total: 0 });
      servePage(3, { interviews: [], total: 900 });
      const pages = await allPages(2);
      expect(idsOf(pages)).toEqual(['iv_1', 'iv_2', 'iv_3', 'iv_4']);
      expect(pages[1]?.total).toBe(4);
    });

    test('a short page has a successor while the total is higher', async () => {
      servePage(1, { interviews: [{ id: 'iv_1' }], total: 3 });
      servePage(2, { interviews: [{ id: 'iv_3' }], total: 3 });
      expect(idsOf(await allPages(2))).toEqual(['iv_1', 'iv_3']);
    });

    test('a short page without a total is the last one', async () => {
      servePage(1, { interviews: twoItems });
      expect((await allPages(3)).map(({ total }) => total)).toEqual([2]);
    });

    test('an invalid total is ignored', async () => {
      servePage(1, { interviews: twoItems, total: 'many' });
      expect((await allPages(3)).map(({ total }) => total)).toEqual([2]);
    });

    test.each([2 ** 31, 2 ** 53, 1e300])('a total that nothing can store (%d) is ignored', async (total) => {
      servePage(1, { interviews: twoItems, total });
      expect((await allPages(3)).map((page) => page.total)).toEqual([2]);
    });

    test('a list far beyond its total ends with an error', async () => {
      const served = sandbox.control.fail({ kind: 'wrong-shape', body: { interviews: twoItems, total: 1 } });
      const far = source(2).page(funnel(), EVERYTHING, { page: 506, first: 'iv_0' }, never);
      await expect(far).rejects.toMatchObject({
        kind: 'bad_response',
        message: expect.stringContaining('it reports 1 interviews and sent 1012.'),
      });
      const further = await source(2).page(funnel(), EVERYTHING, { page: 505, first: 'iv_0' }, never);
      expect([further.next, served.hits()]).toEqual([expect.objectContaining({ page: 506, first: 'iv_1' }), 2]);
    });

    test('a service with a lower page size than requested is read to its end', async () => {
      servePage(1, { interviews: twoItems, limit: 2 });
      servePage(2, { interviews: [{ id: 'iv_3' }], limit: 2 });
      expect(idsOf(await allPages(100))).toEqual(['iv_1', 'iv_2', 'iv_3']);
    });

    test('a service that repeats the same page is not read forever', async () => {
      sandbox.control.fail({ kind: 'wrong-shape', body: { interviews: twoItems, total: 2 } });
      expect((await allPages(2)).length).toBe(2);
    });
  });

  describe('one interview', () => {
    const known = () => {
      const item = sandbox.control.interviews(funnel().funnelId)[3];
      if (!item) throw new Error('The sandbox has no interviews.');
      return { id: item.id, createdAt: new Date(item.createdAt ?? 0) };
    };

    test('one interview is found by its creation time with one call', async () => {
      const found = await source().find(funnel(), known(), never);
      expect(found?.id).toBe(known().id);
      expect(calls()).toBe(1);
    });

    test.each([null, new Date('2001-01-01')])(
      'one interview is found without a correct creation time (%s)',
      async (createdAt) => {
        expect((await source(7).find(funnel(), { ...known(), createdAt }, never))?.id).toBe(known().id);
      },
    );

    test('one interview that was deleted is null', async () => {
      const deleted = known();
      sandbox.control.remove(funnel().funnelId, deleted.id);
      expect(await source().find(funnel(), deleted, never)).toBeNull();
    });

    test('one interview has newly signed URLs', async () => {
      sandbox.control.fail({ kind: 'signed-urls' });
      const before = await source().find(funnel(), known(), never);
      const after = await source().find(funnel(), known(), never);
      expect(before?.videoUrl).toMatch(/sig=/);
      expect(after?.videoUrl).not.toBe(before?.videoUrl);
    });
  });
});
