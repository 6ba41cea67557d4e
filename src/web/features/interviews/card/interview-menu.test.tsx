import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { anInterview, card, findCard, openDashboard, READY } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

async function choose(user: ReturnType<typeof openDashboard>['user'], item: string) {
  await user.click((await findCard()).getByRole('button', { name: 'Actions for Amara for Nursing' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

test('the menu of a card offers Delete, Archive and View Questions', async () => {
  const { user } = openDashboard([anInterview()]);
  await user.click((await findCard()).getByRole('button', { name: 'Actions for Amara for Nursing' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map((item) => item.textContent).sort()).toEqual([
    'Archive',
    'Copy link',
    'Delete',
    'Export',
    'Process',
    'Share',
    'View Questions',
  ]);
});

test('Export downloads the transcript in three formats, or shows why one is not available', async () => {
  const { user, seen } = openDashboard([anInterview({ transcriptionStatus: 'completed' })], {
    'GET /api/interviews/int-1/transcript.srt': () => new Response('1\n00:00:00,000 --> 00:00:01,000\nHello.\n'),
    'GET /api/interviews/int-1/transcript.vtt': () => json({ message: 'This transcript has no times.' }, 404),
  });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await choose(user, 'Export');
  const dialog = within(await screen.findByRole('dialog', { name: 'Export' }));
  expect(dialog.getByRole('button', { name: 'Text' })).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Subtitles (SRT)' }));
  await user.click(dialog.getByRole('button', { name: 'Captions (WebVTT)' }));
  await expectToast("Couldn't download the transcript", 'This transcript has no times.', 'destructive');
  expect(saved).toEqual(['Amara for Nursing - transcript.srt']);
  expect(seen.filter(({ path }) => path.includes('transcript.'))).toHaveLength(2);
  vi.restoreAllMocks();
});

test('Archive removes the interview from the list immediately, and Undo restores it', async () => {
  const interviews = [anInterview(), anInterview({ id: 'int-2', title: 'Another' })];
  const { user, seen, lists } = openDashboard(interviews, {
    'POST /api/interviews/int-1/archive': () => {
      interviews.shift();
      return { message: 'Archived' };
    },
    'POST /api/interviews/int-1/unarchive': () => {
      interviews.unshift(anInterview());
      return { message: 'Back' };
    },
  });
  await choose(user, 'Archive');
  await expectToast('Interview Archived', '"Amara for Nursing" will not be updated on future syncs.');
  await waitFor(() => expect(lists()).toHaveLength(2));
  expect(seen.find(({ method }) => method === 'POST')?.body).toBeUndefined();
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Amara for Nursing' })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('article', { name: 'Amara for Nursing' })).toBeTruthy();
  expect(seen.some(({ path }) => path.endsWith('/unarchive'))).toBe(true);
});

test('Archived lists archived interviews, and their menu offers Unarchive instead of Archive', async () => {
  const archived = [anInterview({ archived: true })];
  const { user, seen, lists } = openDashboard([], {
    'GET /api/interviews': ({ query }: SeenRequest) => {
      const interviews = query.get('archived') === '1' ? archived : [];
      return { interviews, total: interviews.length };
    },
    'POST /api/interviews/int-1/unarchive': () => {
      archived.pop();
      return { message: 'Back' };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Archived', pressed: false }));
  await findCard();
  expect(location.search).toBe('?archived=1');
  expect(screen.getByRole('heading', { name: 'Archived Interviews' })).toBeTruthy();
  await user.click(card().getByRole('button', { name: 'Actions for Amara for Nursing' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map((item) => item.textContent).sort()).toEqual([
    'Copy link',
    'Delete',
    'Export',
    'Share',
    'Unarchive',
    'View Questions',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Unarchive' }));
  await expectToast('Interview Restored', '"Amara for Nursing" is back in the list.');
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(await screen.findByRole('heading', { name: 'No archived interviews' })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Show all interviews' }));
  expect(screen.getByRole('button', { name: 'Archived', pressed: false })).toBeTruthy();
  await waitFor(() => expect(lists().at(-1)?.query.has('archived')).toBe(false));
});

test('Clear filters stays in the list of archived interviews', async () => {
  const { user } = openDashboard([], {}, '/?archived=1&search=nowhere');
  await screen.findByText('No interviews match “nowhere”.');
  await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement);
  expect(location.search).toBe('?archived=1');
});

test('a failed archive restores the card and shows the reason', async () => {
  const refusal = Promise.withResolvers<Response>();
  const pending = new Promise<never>(() => {});
  let isArchiving = false;
  const { user } = openDashboard([anInterview()], {
    'POST /api/interviews/int-1/archive': () => refusal.promise,
    'GET /api/interviews': () => (isArchiving ? pending : { interviews: [anInterview()], total: 1 }),
  });
  await findCard();
  isArchiving = true;
  await choose(user, 'Archive');
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  refusal.resolve(json({ message: 'The database is down' }, 503));
  await expectToast('Archive Failed', 'Failed to archive interview: The database is down', 'destructive');
  // Reading the list again would restore it too, but gets no response.
  expect(await findCard()).toBeTruthy();
});

test('Delete only shows that the interview can be restored, and reloads the list', async () => {
  const { user, seen, lists } = openDashboard([anInterview()]);
  await choose(user, 'Delete');
  await expectToast('Interview Deleted', '"Amara for Nursing" can be restored on the next sync.');
  await waitFor(() => expect(lists()).toHaveLength(2));
  expect(seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('View Questions numbers them from their position, keeps bold and line breaks, and strips other markup', async () => {
  const { user } = openDashboard([
    anInterview({
      processingStatus: {
        questions: [
          { position: 1, question: 'First line<br>second <i>line</i>\nthird' },
          {
            position: 0,
            question: '<b onclick="steal()">Who</b> are you?<script>steal()</script><img src=x onerror="steal()">',
          },
        ],
      },
    }),
  ]);
  await choose(user, 'View Questions');
  const dialog = await screen.findByRole('dialog', { name: 'Interview Questions' });
  const items = [...dialog.querySelectorAll('li')];
  expect(items.map((item) => item.textContent)).toEqual(['1Who are you?', '2First line\nsecond line\nthird']);
  expect(dialog.querySelector('strong')?.textContent).toBe('Who');
  expect(dialog.querySelectorAll('script, img, i, [onclick]')).toHaveLength(0);
});

test('questions with the same position are both shown', async () => {
  const questions = ['Who?', 'Why?'].map((question) => ({ position: 0, question }));
  const { user } = openDashboard([anInterview({ processingStatus: { questions } })]);
  await choose(user, 'View Questions');
  const dialog = await screen.findByRole('dialog', { name: 'Interview Questions' });
  expect([...dialog.querySelectorAll('li')].map((item) => item.textContent)).toEqual(['1Who?', '1Why?']);
});

test('an interview without questions shows a message and a hint', async () => {
  const { user } = openDashboard([anInterview()]);
  await choose(user, 'View Questions');
  expect(await screen.findByText('No questions available for this interview.')).toBeTruthy();
  expect(screen.getByText('Try syncing interviews again to retrieve questions.')).toBeTruthy();
});

test('Copy link copies the address that opens the interview in the player', async () => {
  const { user } = openDashboard([anInterview({ id: 'a/b&ü' })], {}, '/?status=new');
  await choose(user, 'Copy link');
  await expectToast('Link copied');
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/?interview=a%2Fb%26%C3%BC`);
});

test('Copy YouTube link copies the address of the video', async () => {
  const { user } = openDashboard([anInterview(READY)]);
  await user.click((await findCard()).getByRole('button', { name: 'Copy YouTube link' }));
  await expectToast('Link copied');
  expect(await navigator.clipboard.readText()).toBe('https://youtu.be/yt');
});
