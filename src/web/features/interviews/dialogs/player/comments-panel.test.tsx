import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Comment } from '#contracts/comments.ts';
import { anInterview, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

const VIDEO = { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true, candidateName: null, candidateEmail: null };

test('a comment has the moment at which typing began, a click seeks, and the own one can be deleted', async () => {
  let comments: Comment[] = [];
  const add = ({ body }: SeenRequest) => {
    const written = body as { body: string; atSeconds: number };
    const comment = { id: 'c1', author: 'admin', isMine: true, createdAt: '2026-03-05T12:00:00.000Z', editedAt: null };
    comments = [{ ...comment, ...written }];
    return comments[0] as Comment;
  };
  const { user } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/comments': () => comments,
      'POST /api/interviews/int-1/comments': add,
      'DELETE /api/comments/c1': () => {
        comments = [];
        return { message: 'Comment deleted' };
      },
    },
    '/?interview=int-1',
  );
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  const video = document.querySelector('video') as HTMLVideoElement;
  fireEvent.loadedMetadata(video);
  await user.click(screen.getByRole('tab', { name: 'Comments' }));
  video.currentTime = 42;
  await user.type(await screen.findByRole('combobox', { name: 'Comment' }), 'Lis');
  video.currentTime = 60;
  await user.type(screen.getByRole('combobox', { name: 'Comment' }), 'ten');
  await user.click(screen.getByRole('button', { name: 'Comment at 0:42' }));
  expect(await screen.findByText('Listen')).toBeTruthy();
  expect(document.querySelector('[data-mark="42"]')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Play at 0:42' }));
  expect(video.currentTime).toBe(42);
  await user.click(screen.getByRole('button', { name: 'Delete comment' }));
  expect(await screen.findByText('No comments yet.')).toBeTruthy();
});

/** The field of a new comment, with three colleagues who see the interview. */
async function openField() {
  const { user, seen } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/comments': [],
      'GET /api/interviews/int-1/colleagues': ['ann', 'ann smith', 'bob'],
      'POST /api/interviews/int-1/comments': {},
    },
    '/?interview=int-1',
  );
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  await user.click(screen.getByRole('tab', { name: 'Comments' }));
  const field = await screen.findByRole<HTMLTextAreaElement>('combobox', { name: 'Comment' });
  const options = () => {
    const list = screen.queryByRole('listbox', { name: 'Colleagues' });
    return list && [...list.children].map(({ textContent }) => textContent);
  };
  const shown = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  return { user, seen, field, options, shown };
}

test('@ completes the names of colleagues who see the interview, with the keyboard', async () => {
  const { user, field, options, shown } = await openField();
  await user.type(field, 'See @');
  await waitFor(() => expect(options()).toEqual(['ann', 'ann smith', 'bob']));
  expect(field.getAttribute('aria-expanded')).toBe('true');
  await user.keyboard('a{ArrowDown}');
  expect(options()).toEqual(['ann', 'ann smith']);
  expect(shown()).toBe('ann smith');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(field.value).toBe('See @ann ');
  expect(document.activeElement).toBe(field);
  // The name that was chosen is not offered again, although another one begins like it.
  expect(field.getAttribute('aria-expanded')).toBe('false');
  await user.keyboard('and @b{Tab}');
  expect(field.value).toBe('See @ann and @bob ');
  expect(document.activeElement).toBe(field);
});

test('a click completes a name in the middle of a text, and Escape closes only the list', async () => {
  const { user, field, options } = await openField();
  await user.type(field, 'Ask  about it');
  field.setSelectionRange(4, 4);
  await user.keyboard('@bo');
  await waitFor(() => expect(options()).toEqual(['bob']));
  await user.click(screen.getByRole('option', { name: 'bob' }));
  expect(field.value).toBe('Ask @bob about it');
  expect(field.selectionStart).toBe(9);
  await user.type(field, ' @');
  await waitFor(() => expect(options()).toHaveLength(3));
  await user.keyboard('{Escape}');
  expect(field.getAttribute('aria-expanded')).toBe('false');
  expect(screen.getByRole('dialog', { name: 'Amara for Nursing' })).toBeTruthy();
  await user.keyboard('{Backspace}@');
  expect(field.getAttribute('aria-expanded')).toBe('true');
});

test('a text without @ asks for no colleagues', async () => {
  const { user, seen, field } = await openField();
  await user.type(field, 'Good answer');
  expect(seen.filter(({ path }) => path.endsWith('/colleagues'))).toEqual([]);
});

test('a comment that could not be saved stays in its field', async () => {
  let isDown = true;
  const comment = { id: 'c1', author: 'admin', isMine: true, createdAt: '2026-03-05T12:00:00.000Z', editedAt: null };
  const save = () => (isDown ? json({ message: 'Not now.' }, 503) : { ...comment, body: 'x', atSeconds: 0 });
  const { user } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/comments': [{ ...comment, body: 'Old', atSeconds: 3 }],
      'POST /api/interviews/int-1/comments': save,
      'PUT /api/comments/c1': save,
    },
    '/?interview=int-1',
  );
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  await user.click(screen.getByRole('tab', { name: 'Comments' }));
  const field = await screen.findByRole('combobox', { name: 'Comment' });
  await user.type(field, 'Listen');
  await user.click(screen.getByRole('button', { name: 'Comment at 0:00' }));
  await expectToast('Error', 'Failed to save the comment: Not now.', 'destructive');
  expect(field).toHaveProperty('value', 'Listen');
  await user.click(screen.getByRole('button', { name: 'Edit comment' }));
  const changed = screen.getByRole('combobox', { name: 'Change the comment' });
  await user.type(changed, 'er');
  await user.click(screen.getByRole('button', { name: 'Save comment' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save comment', busy: false })).toBeTruthy());
  expect(changed).toHaveProperty('value', 'Older');
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Save comment' }));
  await waitFor(() => expect(changed.isConnected).toBe(false));
  await user.click(screen.getByRole('button', { name: 'Comment at 0:00' }));
  await waitFor(() => expect(field).toHaveProperty('value', ''));
});

test('the focus stays at a comment that is edited, and in the list when one is deleted', async () => {
  const comment = { id: 'c1', author: 'admin', isMine: true, createdAt: '2026-03-05T12:00:00.000Z', editedAt: null };
  const { user } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/comments': [{ ...comment, body: 'Listen', atSeconds: 3 }],
      'DELETE /api/comments/c1': { message: 'Comment deleted' },
    },
    '/?interview=int-1',
  );
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  await user.click(screen.getByRole('tab', { name: 'Comments' }));
  await user.click(await screen.findByRole('button', { name: 'Edit comment' }));
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Change the comment' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit comment' }));
  await user.click(screen.getByRole('button', { name: 'Delete comment' }));
  expect(document.activeElement).toBe(screen.getByText('Listen').closest('ul'));
});

test('a comment is there again after a look at another tab, until it is stored', async () => {
  const sent: unknown[] = [];
  let response = Promise.withResolvers<object>();
  const { user } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/comments': [],
      'POST /api/interviews/int-1/comments': async ({ body }) => {
        sent.push(body);
        return await response.promise;
      },
    },
    '/?interview=int-1',
  );
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  const video = document.querySelector('video') as HTMLVideoElement;
  const showComments = async () => {
    await user.click(screen.getByRole('tab', { name: 'Comments' }));
    return await screen.findByRole('combobox', { name: 'Comment' });
  };
  const field = await showComments();
  video.currentTime = 12;
  await user.type(field, 'Listen');
  video.currentTime = 40;
  await user.click(screen.getByRole('tab', { name: 'Questions' }));
  expect(await showComments()).toHaveProperty('value', 'Listen');
  await user.click(screen.getByRole('button', { name: 'Comment at 0:12' }));
  await user.click(screen.getByRole('tab', { name: 'Questions' }));
  const again = await showComments();
  expect(again).toMatchObject({ value: 'Listen', readOnly: true });
  response.resolve(json({ message: 'Not now.' }, 503));
  await waitFor(() => expect(again).toMatchObject({ value: 'Listen', readOnly: false }));
  response = Promise.withResolvers();
  await user.click(screen.getByRole('button', { name: 'Comment at 0:12' }));
  await user.click(screen.getByRole('tab', { name: 'Questions' }));
  const last = await showComments();
  response.resolve({ id: 'c1' });
  await waitFor(() => expect(last).toHaveProperty('value', ''));
  expect(sent).toEqual([1, 2].map(() => ({ body: 'Listen', atSeconds: 12 })));
});
