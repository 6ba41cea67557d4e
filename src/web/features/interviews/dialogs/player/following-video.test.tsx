// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { VideoInfo } from '#contracts/interviews.ts';
import { anInterview, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';
import { currentToasts } from '#web/lib/toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

const candidate = (n: number) => anInterview({ id: `iv-${n}`, interviewId: `iv-${n}`, title: `Candidate ${n}` });

const videoOf = (n: number, part: Partial<VideoInfo> = {}) => ({
  videoUrl: null,
  videoFile: `${n}.mp4`,
  hasLocalCopy: true,
  candidateName: null,
  candidateEmail: null,
  segments: [],
  ...part,
});

/** The player with the first of three interviews. */
const openFirst = (answers: Parameters<typeof openDashboard>[1] = {}) =>
  openDashboard(
    [candidate(1), candidate(2), candidate(3)],
    {
      ...Object.fromEntries([1, 2, 3].map((n) => [`GET /api/interviews/iv-${n}/video`, videoOf(n)])),
      ...answers,
    },
    '/?interview=iv-1',
  );

let videos: HTMLVideoElement[] = [];
beforeEach(() => {
  videos = [];
  const create = document.createElement.bind(document);
  vi.spyOn(document, 'createElement').mockImplementation((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLVideoElement) videos.push(element);
    return element;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'connection');
});

/** The sources of videos that are not part of the page. */
const loadedInAdvance = () =>
  videos.filter((video) => !video.isConnected && video.hasAttribute('src')).map((video) => video.getAttribute('src'));

const player = async () => {
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  return document.querySelector('video') as HTMLVideoElement;
};
const shown = (title: string) => screen.findByRole('dialog', { name: title });
const pathsOf = (seen: readonly SeenRequest[]) => seen.map(({ path }) => path);
const playedOf = (seen: readonly SeenRequest[]) => pathsOf(seen).filter((path) => path.endsWith('/played'));

/** The event of a playing video, which browsers send several times a second. */
function play(video: HTMLVideoElement) {
  Object.defineProperty(video, 'paused', { value: false, configurable: true });
  fireEvent.timeUpdate(video);
}

/** Resolves when the requests of an event have been sent. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

test('the next video is loaded in advance while the current one plays, and until the next one or none is open', async () => {
  const { user, seen } = openFirst();
  const video = await player();
  await waitFor(() => expect(pathsOf(seen)).toContain('/api/interviews/iv-2/video'));
  await soon();
  expect(loadedInAdvance()).toEqual([]);
  play(video);
  await waitFor(() => expect(loadedInAdvance()).toEqual(['/api/files/video/2.mp4']));
  expect(videos.at(-1)).toMatchObject({ preload: 'metadata', muted: true });

  await user.keyboard('n');
  await shown('Candidate 2');
  await waitFor(() => expect(loadedInAdvance()).toEqual([]));
  await waitFor(() => expect(pathsOf(seen)).toContain('/api/interviews/iv-3/video'));
  play(await player());
  await waitFor(() => expect(loadedInAdvance()).toEqual(['/api/files/video/3.mp4']));

  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(loadedInAdvance()).toEqual([]));
});

test('a video is reported as played once it plays, and the next one only after N', async () => {
  const { user, seen } = openFirst();
  const first = await player();
  fireEvent.loadedMetadata(first);
  fireEvent.timeUpdate(first);
  await soon();
  expect(playedOf(seen)).toEqual([]);
  for (const _ of [1, 2, 3]) play(first);
  await waitFor(() => expect(loadedInAdvance()).toEqual(['/api/files/video/2.mp4']));
  await soon();
  expect(playedOf(seen)).toEqual(['/api/interviews/iv-1/played']);

  await user.keyboard('n');
  await shown('Candidate 2');
  await waitFor(() => expect(document.querySelector('video')).not.toBe(first));
  await soon();
  expect(playedOf(seen)).toHaveLength(1);
  play(await player());
  await waitFor(() => expect(playedOf(seen)).toEqual(['/api/interviews/iv-1/played', '/api/interviews/iv-2/played']));
});

const SEGMENTS = ['one.mp4', 'two.mp4'].map((videoFile, position) => ({
  position,
  question: 'Why?',
  videoFile,
  thumbnailFile: null,
  durationSeconds: 9,
  startSeconds: null,
  isReady: true,
}));

test.each([
  ['at another address', { videoUrl: 'https://far.example.com/2.mp4' }, 'https://far.example.com/2.mp4'],
  ['in several parts', { segments: SEGMENTS }, '/api/files/video/one.mp4'],
])('of a next video %s the first address is loaded in advance', async (_, part, source) => {
  openFirst({ 'GET /api/interviews/iv-2/video': videoOf(2, { videoFile: null, hasLocalCopy: false, ...part }) });
  play(await player());
  await waitFor(() => expect(loadedInAdvance()).toEqual([source]));
});

test('the next video is loaded once more in the last tenth of the current one', async () => {
  openFirst({ 'POST /api/interviews/iv-1/watched': {} });
  const video = await player();
  await waitFor(() => {
    play(video);
    expect(loadedInAdvance()).toEqual(['/api/files/video/2.mp4']);
  });
  const load = vi.spyOn(videos.at(-1) as HTMLVideoElement, 'load');
  Object.defineProperty(video, 'duration', { value: 100, configurable: true });
  const loadsAt = (seconds: number) => {
    video.currentTime = seconds;
    play(video);
    return load.mock.calls.length;
  };
  expect([50, 91, 92].map(loadsAt)).toEqual([0, 1, 1]);
  expect(loadedInAdvance()).toEqual(['/api/files/video/2.mp4']);
});

test('a browser that saves data loads no video in advance', async () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  const { seen } = openFirst();
  const video = await player();
  await waitFor(() => expect(pathsOf(seen)).toContain('/api/interviews/iv-2/video'));
  play(video);
  await waitFor(() => expect(playedOf(seen)).toEqual(['/api/interviews/iv-1/played']));
  await soon();
  expect(loadedInAdvance()).toEqual([]);
});

test('the user sees nothing when the server cannot record that a video plays', async () => {
  const refusal = json({ message: 'Overloaded', code: 'unavailable' }, 503);
  const { seen } = openFirst({ 'POST /api/interviews/iv-1/played': refusal });
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  play(await player());
  await waitFor(() => expect(errors).toHaveBeenCalled());
  await soon();
  expect(playedOf(seen)).toHaveLength(1);
  expect(currentToasts()).toEqual([]);
});
