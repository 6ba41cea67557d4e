import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Comment } from '#contracts/comments.ts';
import { anInterview, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';
import type { SeenRequest } from '#web/testing/server-edge.ts';

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
  await user.type(await screen.findByRole('textbox', { name: 'Comment' }), 'Lis');
  video.currentTime = 60;
  await user.type(screen.getByRole('textbox', { name: 'Comment' }), 'ten');
  await user.click(screen.getByRole('button', { name: 'Comment at 0:42' }));
  expect(await screen.findByText('Listen')).toBeTruthy();
  expect(document.querySelector('[data-mark="42"]')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Play at 0:42' }));
  expect(video.currentTime).toBe(42);
  await user.click(screen.getByRole('button', { name: 'Delete comment' }));
  expect(await screen.findByText('No comments yet.')).toBeTruthy();
});
