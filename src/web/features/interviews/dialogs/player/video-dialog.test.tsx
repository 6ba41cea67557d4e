import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  anInterview,
  card,
  findCard,
  openDashboard,
  sendLive,
} from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';

const LOCAL = {
  videoUrl: 'https://far.example.com/video.mp4',
  videoFile: 'video 1.mp4',
  hasLocalCopy: true,
  candidateName: null,
  candidateEmail: null,
};

async function play(video: object, duration = 125) {
  const dashboard = openDashboard([anInterview({ duration })], {
    'GET /api/interviews/int-1/video': () => video,
    'POST /api/interviews/int-1/update-duration': ({ body }) => body as object,
  });
  await dashboard.user.click((await findCard()).getByRole('button', { name: 'Play Amara for Nursing' }));
  await screen.findByRole('dialog', { name: 'Amara for Nursing' });
  return dashboard;
}

const player = async () => {
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  return document.querySelector('video') as HTMLVideoElement;
};

/** Simulates that the browser has read the recording's header. */
function loaded(video: HTMLVideoElement, seconds: number) {
  Object.defineProperty(video, 'duration', { value: seconds, configurable: true });
  fireEvent.loadedMetadata(video);
}

test('the player plays the local copy and blocks download, picture-in-picture and the context menu', async () => {
  await play(LOCAL);
  const video = await player();
  expect(video.getAttribute('src')).toBe('/api/files/video/video%201.mp4');
  expect(video.getAttribute('controlslist')).toBe('nodownload');
  expect(video.hasAttribute('disablepictureinpicture')).toBe(true);
  expect(fireEvent.contextMenu(video)).toBe(false);
});

test('a local copy that fails is replaced by the remote address', async () => {
  await play(LOCAL);
  fireEvent.error(await player());
  expect((await player()).getAttribute('src')).toBe(LOCAL.videoUrl);
});

test('a recording that stops because the session has ended opens the login', async () => {
  let hasEnded = false;
  const { user } = openDashboard([anInterview()], {
    'GET /api/user': () => (hasEnded ? json({ message: 'Sign in to continue' }, 401) : { id: 1, username: 'dana' }),
    'GET /api/interviews/int-1/video': () => LOCAL,
  });
  await user.click((await findCard()).getByRole('button', { name: 'Play Amara for Nursing' }));
  const video = await player();
  hasEnded = true;
  fireEvent.error(video);
  expect(await screen.findByLabelText('Username')).toBeTruthy();
});

test('closing the player pauses and resets it', async () => {
  const { user } = await play(LOCAL);
  const video = await player();
  const pause = vi.spyOn(video, 'pause');
  video.currentTime = 12;
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(pause).toHaveBeenCalled();
  expect(video.currentTime).toBe(0);
});

test('when a video loads with a stored duration of 0, its rounded length is saved once and shown on the card', async () => {
  const { user, seen } = await play(LOCAL, 0);
  const video = await player();
  loaded(video, Number.POSITIVE_INFINITY);
  loaded(video, 64.6);
  loaded(video, 64.6);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(await card().findByText('Duration: 1:05')).toBeTruthy();
  expect(seen.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ duration: 65 }]);
});

test('a stored duration is never overwritten', async () => {
  const { seen } = await play(LOCAL);
  loaded(await player(), 300);
  expect(seen.some(({ method }) => method === 'POST')).toBe(false);
});

test('a missing video reads Video not available', async () => {
  await play({ ...LOCAL, videoUrl: null, videoFile: null, hasLocalCopy: false });
  expect(await within(await screen.findByRole('dialog')).findByText('Video not available')).toBeTruthy();
  await expectToast('Error', 'Video not available', 'destructive');
});

test('a failed video call shows Could not fetch video information after one retry', async () => {
  const { seen } = await play(json({ message: 'Internal server error' }, 500));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Could not fetch video information')).toBeTruthy();
  await expectToast('Error', 'Could not fetch video information', 'destructive');
  expect(seen.filter(({ path }) => path.endsWith('/video'))).toHaveLength(2);
});

test('the video information is cached for 5 minutes', async () => {
  vi.useFakeTimers({ now: new Date(2026, 5, 15, 12), toFake: ['Date'] });
  const { user, seen } = await play(LOCAL);
  const requests = () => seen.filter(({ path }) => path.endsWith('/video'));
  const playAgain = async () => {
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(card().getByRole('button', { name: 'Play Amara for Nursing' }));
    await player();
  };
  await player();
  vi.setSystemTime(new Date(2026, 5, 15, 12, 4, 59));
  await playAgain();
  expect(requests()).toHaveLength(1);
  vi.setSystemTime(new Date(2026, 5, 15, 12, 5, 1));
  await playAgain();
  await waitFor(() => expect(requests()).toHaveLength(2));
});

test('the player handles its keys before the elements with the focus', async () => {
  const { user } = await play(LOCAL);
  const video = await player();
  const received: string[] = [];
  video.addEventListener('keydown', ({ key }) => received.push(key));
  video.tabIndex = -1;
  video.focus();
  await user.keyboard(' {ArrowRight}lmq');
  expect(received).toEqual(['q']);
  expect([video.currentTime, video.muted]).toEqual([20, true]);
});

test('each Edit tool and another version only announce that they will be implemented soon', async () => {
  const { user } = await play(LOCAL);
  await user.click(screen.getByRole('tab', { name: 'Edit' }));
  for (const tool of ['Rotate', 'Remove Silence', 'Watermark', 'Extract Audio']) {
    await user.click(screen.getByRole('button', { name: tool }));
    expect(screen.getByRole('alert').textContent).toBe(`${tool} will be implemented soon`);
  }
  await user.click(screen.getByRole('radio', { name: /Edited/ }));
  expect(screen.getByRole('alert').textContent).toContain('will be implemented soon');
  expect(screen.getByRole('radio', { name: /Original/ })).toHaveProperty('checked', true);
});

test('Copy link in the player copies the address that opens it', async () => {
  const { user } = await play(LOCAL);
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
  await expectToast('Link copied');
  const link = await navigator.clipboard.readText();
  expect(link).toBe(`${location.origin}/?interview=int-1`);
  expect(location.search).toBe('?interview=int-1');
});

/** An interview with two answers that could not be joined into one recording. */
const APART = {
  ...LOCAL,
  videoUrl: null,
  videoFile: null,
  hasLocalCopy: false,
  segments: [
    { position: 0, question: 'Why us?', videoFile: 'a.mp4', durationSeconds: 20, startSeconds: null, isReady: true },
    { position: 1, question: 'When?', videoFile: 'b.webm', durationSeconds: 21, startSeconds: null, isReady: true },
    { position: 2, question: 'How?', videoFile: null, durationSeconds: 0, startSeconds: null, isReady: false },
  ],
};

async function playApart() {
  const questions = APART.segments.map(({ position, question }) => ({ position, question }));
  const dashboard = openDashboard([anInterview({ duration: 41, processingStatus: { questions } })], {
    'GET /api/interviews/int-1/video': () => APART,
    'GET /api/interviews/int-1/answers': () => ({ answers: [] }),
  });
  await dashboard.user.click((await findCard()).getByRole('button', { name: 'Play Amara for Nursing' }));
  const video = await player();
  vi.spyOn(video, 'play').mockResolvedValue(undefined);
  return { ...dashboard, video };
}

test('answers that are not joined play one after another with the times of the whole', async () => {
  const { user, video } = await playApart();
  expect([video.getAttribute('src'), video.duration]).toEqual(['/api/files/video/a.mp4', 41]);
  fireEvent.ended(video);
  expect(video.getAttribute('src')).toBe('/api/files/video/b.webm');
  fireEvent.loadedMetadata(video);
  expect(video.play).toHaveBeenCalled();
  expect(video.currentTime).toBe(20);
  await user.keyboard('1');
  expect(video.getAttribute('src')).toBe('/api/files/video/a.mp4');
  fireEvent.loadedMetadata(video);
  expect(video.currentTime).toBe(0);
  await user.keyboard('2');
  expect(video.getAttribute('src')).toBe('/api/files/video/b.webm');
});

test('the questions show the length of their answers, and which one is still being processed', async () => {
  const { user } = await playApart();
  await user.click(screen.getByRole('tab', { name: 'Questions' }));
  const [first, second, third] = await screen.findAllByRole('listitem');
  expect(within(first as HTMLElement).getByText('Length: 0:20')).toBeTruthy();
  expect(within(second as HTMLElement).getByRole('button', { name: 'Play answer 2 at 0:20' })).toBeTruthy();
  expect(third?.textContent).toContain('Still being processed. The next refresh fetches this answer.');
  expect(within(third as HTMLElement).queryByRole('button')).toBeNull();
  const seek = screen.getByRole('slider', { name: 'Seek' });
  await user.keyboard('2');
  await waitFor(() => expect(seek.getAttribute('aria-valuetext')).toBe('0:20 of 0:41, 2. When? (0:21)'));
});

test('a video plays on when its address cannot be read again', async () => {
  let isDown = false;
  const { user, seen } = openDashboard([anInterview()], {
    'GET /api/interviews/int-1/video': () => (isDown ? json({ message: 'Not now.' }, 503) : LOCAL),
  });
  await user.click((await findCard()).getByRole('button', { name: 'Play Amara for Nursing' }));
  const video = await player();
  isDown = true;
  const reads = () => seen.filter(({ path }) => path.endsWith('/video')).length;
  await sendLive({ type: 'interviews-changed' });
  // Reads of it are tried twice.
  await waitFor(() => expect(reads()).toBe(3));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(video.isConnected).toBe(true);
});

test('a video that cannot be played can be tried again, and the interview decided', async () => {
  const { user } = await play({ ...LOCAL, videoUrl: null });
  fireEvent.error(await player());
  await screen.findByText("This video couldn't be played");
  expect(screen.getByRole('button', { name: 'Done' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await player()).getAttribute('src')).toBe('/api/files/video/video%201.mp4');
});
