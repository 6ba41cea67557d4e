import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InterviewId } from '#contracts/fields.ts';
import { MAX_DURATION_SECONDS } from '#contracts/rules/limits.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { spoiled } from '#support/hostile-json.ts';
import { pageCursor, readPage } from './read-page.ts';

const ITEM = {
  id: 'iv_1',
  title: 'Nurse',
  description: 'Night shift',
  candidate: { name: 'Ana', email: 'ana@example.com', phone: '1' },
  recordedAt: '2026-03-01T10:00:00Z',
  createdAt: '2026-03-01',
  updatedAt: '2026-03-01T10:00:00+02:00',
  durationSeconds: 60,
  url: 'https://example.com/1',
  videoUrl: 'https://example.com/1.mp4',
  thumbnailUrl: 'http://example.com/1.jpg',
  questions: [
    { position: 1, question: 'Why?' },
    { position: 0, question: '<b>Who?</b>' },
  ],
  transcript: { text: 'Hello.', segments: [{ start: 0, end: 1, text: 'Hello.' }] },
};
const PAGE = { interviews: [ITEM, { ...ITEM, id: 'iv_2', transcript: 'Hello.' }], total: 2, limit: 10 };

const storable = (text: string | null) => text === null || (text.isWellFormed() && !text.includes('\0') && text !== '');
const readable = (date: Date | null) => date === null || (date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999);

function expectStorable(one: ReturnType<typeof readPage>['interviews'][number]): void {
  expect(InterviewId.safeParse(one.id).success && one.id.isWellFormed()).toBe(true);
  const texts = [one.title, one.description, one.candidateName, one.candidateEmail, one.candidatePhone];
  expect([...texts, one.transcript?.text ?? null].every(storable)).toBe(true);
  expect([one.recordedAt, one.createdAt, one.updatedAt].every(readable)).toBe(true);
  expect(one.durationSeconds >= 0 && one.durationSeconds <= MAX_DURATION_SECONDS).toBe(true);
  for (const url of [one.url, one.videoUrl, one.thumbnailUrl]) expect(url ?? 'https://x').toMatch(/^https?:\/\//);
  const positions = one.questions.map(({ position }) => position);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
}

test('any response of the service yields storable items, names the skipped ones, and continues or ends the list', () => {
  fc.assert(
    fc.property(spoiled(PAGE), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 100 }), (raw, at, asked) => {
      let page: ReturnType<typeof readPage>;
      try {
        page = readPage(raw, { cursor: { ...pageCursor(null), page: at }, limit: asked, transcriptOf: 'iv_1' });
      } catch (error) {
        expect(error).toBeInstanceOf(UpstreamError);
        return;
      }
      const { interviews, unreadable, total, next } = page;
      const items = (raw as typeof PAGE).interviews;
      expect(interviews.length + unreadable.length).toBe(items.length);
      expect(total).toBeGreaterThanOrEqual(items.length);
      expect(next === null || (next as { page: number }).page === at + 1).toBe(true);
      if (items.length === 0) expect(next).toBeNull();
      for (const one of interviews) expectStorable(one);
      for (const { reason, id } of unreadable) expect(reason !== '' && id !== '').toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
