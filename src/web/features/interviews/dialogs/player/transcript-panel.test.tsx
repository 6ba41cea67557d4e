import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anInterview, findCard, openDashboard, READY } from '#web/features/interviews/testing/open-dashboard.ts';

const SEGMENTS = [
  { startSeconds: 0, endSeconds: 4, text: 'I work in a warehouse.' },
  { startSeconds: 4, endSeconds: 9, text: 'We plan every shift the evening before.' },
  { startSeconds: 9, endSeconds: 14, text: 'A good shift is a safe shift.' },
];

async function play(segments: object[] = SEGMENTS) {
  const dashboard = openDashboard([anInterview(READY)], {
    'GET /api/interviews/int-1/video': {
      videoUrl: null,
      videoFile: 'video.mp4',
      hasLocalCopy: true,
      candidateName: null,
      candidateEmail: null,
    },
    'GET /api/interviews/int-1/transcript': { transcriptionText: 'I work.', source: 'transcription', segments },
  });
  await dashboard.user.click((await findCard()).getByRole('button', { name: 'Play Amara for Nursing' }));
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  return { ...dashboard, video: document.querySelector('video') as HTMLVideoElement };
}

const panel = async () => within(await screen.findByRole('region', { name: 'Transcript' }));
const spoken = () => document.querySelector('[aria-current=true]')?.textContent;

function playTo(video: HTMLVideoElement, seconds: number) {
  video.currentTime = seconds;
  fireEvent.timeUpdate(video);
}

test('the transcript is next to the video and follows it', async () => {
  const { video } = await play();
  expect((await panel()).getAllByRole('button', { name: /^\d+:\d\d/ })).toHaveLength(3);
  playTo(video, 5);
  expect(spoken()).toBe('0:04We plan every shift the evening before.');
  playTo(video, 9.5);
  expect(spoken()).toBe('0:09A good shift is a safe shift.');
});

test('two equal segments at the end are both shown', async () => {
  const twice = { startSeconds: 14, endSeconds: 14, text: 'Thank you.' };
  await play([...SEGMENTS, twice, twice]);
  expect((await panel()).getAllByRole('button', { name: /Thank you/ })).toHaveLength(2);
});

test('a click on a line seeks to it', async () => {
  const { user, video } = await play();
  await user.click((await panel()).getByRole('button', { name: /We plan every shift/ }));
  expect(video.currentTime).toBe(4);
});

test('the search counts and marks matches, and Enter plays one after the other', async () => {
  const { user, video } = await play();
  const list = await panel();
  await user.type(list.getByRole('searchbox', { name: 'Search the transcript' }), 'SHIFT');
  expect(list.getByRole('status').textContent).toBe('1 of 2');
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    'shift',
    'shift',
    'shift',
  ]);
  await user.keyboard('{Enter}');
  expect([list.getByRole('status').textContent, video.currentTime]).toEqual(['1 of 2', 4]);
  await user.keyboard('{Enter}');
  expect([list.getByRole('status').textContent, video.currentTime]).toEqual(['2 of 2', 9]);
  await user.click(list.getByRole('button', { name: 'Previous match' }));
  expect([list.getByRole('status').textContent, video.currentTime]).toEqual(['1 of 2', 4]);
  await user.type(list.getByRole('searchbox'), 'xyz');
  expect(list.getByRole('status').textContent).toBe('No matches');
});

test('the search finds all words in any order, and lines with some of them if none has all', async () => {
  const { user } = await play();
  const list = await panel();
  const box = list.getByRole('searchbox', { name: 'Search the transcript' });
  const hit = async (search: string) => {
    await user.clear(box);
    await user.type(box, search);
    return list.getByRole('status').textContent;
  };
  expect(await hit('safe good')).toBe('1 of 1');
  expect(await hit('warehouse evening')).toBe('1 of 2');
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    'warehouse',
    'evening',
  ]);
});

test('scrolling stops following the video until Follow the video is pressed', async () => {
  const { user } = await play();
  const list = await panel();
  fireEvent.wheel(list.getByRole('list'));
  await user.click(list.getByRole('button', { name: 'Follow the video' }));
  expect(list.queryByRole('button', { name: 'Follow the video' })).toBeNull();
});

test('captions come from the timed transcript', async () => {
  const { video } = await play();
  await panel();
  expect(video.querySelector('track')?.getAttribute('src')).toBe('/api/interviews/int-1/captions');
  expect(video.querySelector('track')?.getAttribute('kind')).toBe('captions');
});

test('without times there is neither a list nor captions', async () => {
  const { video } = await play([]);
  expect(screen.queryByRole('region', { name: 'Transcript' })).toBeNull();
  expect(video.querySelector('track')).toBeNull();
});

test('the arrow keys jump in the video when the player opens, instead of selecting the Edit tab', async () => {
  const { user, video } = await play();
  playTo(video, 30);
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { name: 'View' }).getAttribute('aria-selected')).toBe('true');
  expect(video.currentTime).toBe(40);
});

test('the focus stays on the tabs when the user moves between them', async () => {
  const { user } = await play();
  screen.getByRole('tab', { name: 'View' }).focus();
  await user.keyboard('{ArrowRight}{ArrowLeft}');
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'View' }));
});

test('J and L jump ten seconds, K plays and pauses, and none of them does so in a text field', async () => {
  const { user, video } = await play();
  playTo(video, 30);
  screen.getByRole('button', { name: /10 s forward/ }).focus();
  await user.keyboard('l');
  expect(video.currentTime).toBe(40);
  await user.keyboard('j{ArrowLeft}');
  expect(video.currentTime).toBe(20);
  await user.click((await panel()).getByRole('searchbox'));
  await user.keyboard('jl');
  expect(video.currentTime).toBe(20);
});

test('Escape clears the search first, and closes the player at the next press', async () => {
  const { user } = await play();
  const box = (await panel()).getByRole('searchbox');
  await user.type(box, 'shift');
  await user.keyboard('{Escape}');
  expect(box).toHaveProperty('value', '');
  expect(screen.getByRole('dialog')).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the Tab key reaches one line of the transcript, and the arrow keys move between lines', async () => {
  const { user, video } = await play();
  const lines = (await panel()).getAllByRole('button', { name: /^\d+:\d\d/ });
  const stops = () => lines.map(({ tabIndex }) => tabIndex);
  expect(stops()).toEqual([0, -1, -1]);
  lines[0]?.focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(lines[1]);
  expect(stops()).toEqual([-1, 0, -1]);
  await user.keyboard('{End}{Enter}');
  expect(video.currentTime).toBe(9);
  await user.tab();
  expect(lines).not.toContain(document.activeElement);
});
