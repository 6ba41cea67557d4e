import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { anInterview, card, findCard, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';

const VIDEO = {
  videoUrl: null,
  videoFile: 'video.mp4',
  hasLocalCopy: true,
  candidateName: null,
  candidateEmail: null,
};

const player = async () => {
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  return document.querySelector('video') as HTMLVideoElement;
};

/** Opens the player as after a reload. */
async function play() {
  const dashboard = openDashboard([anInterview()], {
    'GET /api/interviews/int-1/video': VIDEO,
    'POST /api/interviews/int-1/watched': { message: 'Marked as watched' },
  });
  await dashboard.user.click((await findCard()).getByRole('button', { name: 'Play Amara for Nursing' }));
  return { ...dashboard, video: await player() };
}

const playAgain = async ({ user }: Awaited<ReturnType<typeof play>>) => {
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(card().getByRole('button', { name: 'Play Amara for Nursing' }));
  return player();
};

function loaded(video: HTMLVideoElement, seconds = 125) {
  Object.defineProperty(video, 'duration', { value: seconds, configurable: true });
  fireEvent.loadStart(video);
  fireEvent.loadedMetadata(video);
}

const speed = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Speed' });

test('speed, volume and mute are the same when the player opens again', async () => {
  const dashboard = await play();
  await dashboard.user.selectOptions(speed(), '1.5×');
  dashboard.video.volume = 0.25;
  dashboard.video.muted = true;
  fireEvent.volumeChange(dashboard.video);
  const video = await playAgain(dashboard);
  loaded(video);
  expect([speed().value, video.playbackRate, video.volume, video.muted]).toEqual(['1.5', 1.5, 0.25, true]);
});

test('an interview continues where it was left, and starts again after its end', async () => {
  const dashboard = await play();
  loaded(dashboard.video);
  dashboard.video.currentTime = 42.7;
  fireEvent.timeUpdate(dashboard.video);
  const video = await playAgain(dashboard);
  loaded(video);
  expect(video.currentTime).toBe(42);
  video.currentTime = 124;
  fireEvent.timeUpdate(video);
  const again = await playAgain(dashboard);
  loaded(again);
  expect(again.currentTime).toBe(0);
});

test('K and Space play and pause while the Speed select has the focus, < and > change the speed', async () => {
  const { user, video } = await play();
  const plays = vi.spyOn(video, 'play').mockResolvedValue();
  speed().focus();
  await user.keyboard('k ');
  expect(plays).toHaveBeenCalledTimes(2);
  await user.keyboard('>>');
  expect([speed().value, video.playbackRate]).toEqual(['1.5', 1.5]);
  await user.keyboard('<');
  expect(speed().value).toBe('1.25');
});

test('? shows the shortcuts above the player, and Escape and Back return to it', async () => {
  const { user } = await play();
  await user.keyboard('?');
  const shortcuts = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(shortcuts).getByText('Full screen')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull());
  expect(screen.getByRole('dialog', { name: 'Amara for Nursing' })).toBeTruthy();
});

test('single-character shortcuts except the space bar can be turned off permanently', async () => {
  const { user, video } = await play();
  const plays = vi.spyOn(video, 'play').mockResolvedValue();
  await user.keyboard('?');
  await user.click(await screen.findByRole('checkbox', { name: 'Single-key shortcuts' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull());
  video.focus();
  await user.keyboard('kjl?');
  expect(plays).not.toHaveBeenCalled();
  expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull();
  await user.keyboard(' ');
  expect(plays).toHaveBeenCalledOnce();
});
