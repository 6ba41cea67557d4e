import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interview, VideoInfo } from '#contracts/interviews.ts';
import { anInterview, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';
import { currentToasts } from '#web/lib/toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

const candidate = (n: number, part: Partial<Interview> = {}) =>
  anInterview({ id: `iv-${n}`, interviewId: `iv-${n}`, title: `Candidate ${n}`, hasLocalCopy: true, ...part });

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
const openFirst = (responses: Parameters<typeof openDashboard>[1] = {}, second: Partial<Interview> = {}) =>
  openDashboard(
    [candidate(1), candidate(2, second), candidate(3)],
    {
      ...Object.fromEntries([1, 2, 3].map((n) => [`GET /api/interviews/iv-${n}/video`, videoOf(n)])),
      ...responses,
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
  passedMs = 0;
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

const now = performance.now.bind(performance);
let passedMs = 0;
/** Lets time pass for code that measures it. */
function passMinutes(minutes: number) {
  passedMs += minutes * 60_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
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
  await waitFor(async () => {
    play(await player());
    expect(loadedInAdvance()).toEqual(['/api/files/video/3.mp4']);
  });

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
])(
  'the first address of a next video %s is requested and loaded in advance while the current one plays',
  async (_, part, source) => {
    const isRemote = { hasLocalCopy: false };
    const { seen } = openFirst(
      { 'GET /api/interviews/iv-2/video': videoOf(2, { videoFile: null, ...isRemote, ...part }) },
      isRemote,
    );
    const video = await player();
    await soon();
    expect(pathsOf(seen)).not.toContain('/api/interviews/iv-2/video');
    await waitFor(() => {
      play(video);
      expect(loadedInAdvance()).toEqual([source]);
    });
  },
);

test('the next video is loaded again every four minutes, before the browser drops it', async () => {
  openFirst();
  const video = await player();
  await waitFor(() => {
    play(video);
    expect(loadedInAdvance()).toEqual(['/api/files/video/2.mp4']);
  });
  const load = vi.spyOn(videos.at(-1) as HTMLVideoElement, 'load');
  const loadsAfter = (minutes: number) => {
    passMinutes(minutes);
    play(video);
    play(video);
    return load.mock.calls.length;
  };
  expect([3, 2, 3, 1.5].map(loadsAfter)).toEqual([0, 1, 1, 2]);
  expect(loadedInAdvance()).toEqual(['/api/files/video/2.mp4']);
});

test.each([{ hasLocalCopy: true }, { hasLocalCopy: false }])(
  'a browser that saves data loads no next video in advance: %o',
  async (second) => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    const { seen } = openFirst({}, second);
    play(await player());
    await waitFor(() => expect(playedOf(seen)).toEqual(['/api/interviews/iv-1/played']));
    await soon();
    expect(loadedInAdvance()).toEqual([]);
    expect(pathsOf(seen).includes('/api/interviews/iv-2/video')).toBe(second.hasLocalCopy);
  },
);

test('a video that plays for long is reported every ten minutes, so that it stays one viewing', async () => {
  const { seen } = openFirst();
  const video = await player();
  const reportsAfter = async (minutes: number) => {
    passMinutes(minutes);
    play(video);
    play(video);
    await soon();
    return playedOf(seen).length;
  };
  const reports: number[] = [];
  for (const minutes of [0, 9, 2, 7, 4]) reports.push(await reportsAfter(minutes));
  expect(reports).toEqual([1, 1, 2, 2, 3]);
});

test('the user sees nothing when the server cannot record that a video plays, and the report is repeated', async () => {
  const refusal = json({ message: 'Overloaded', code: 'unavailable' }, 503);
  const { seen } = openFirst({ 'POST /api/interviews/iv-1/played': refusal });
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const video = await player();
  play(video);
  await waitFor(() => expect(errors).toHaveBeenCalled());
  play(video);
  await soon();
  expect(playedOf(seen)).toHaveLength(1);
  passMinutes(0.6);
  play(video);
  await waitFor(() => expect(errors).toHaveBeenCalledTimes(2));
  expect(playedOf(seen)).toHaveLength(2);
  expect(currentToasts()).toEqual([]);
});
