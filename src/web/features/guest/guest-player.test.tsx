import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { SharedCandidates } from './shared-candidates.tsx';
import { aSharedPage } from './testing/a-shared-page.ts';

test('a client changes the speed of a video with the control and with < and >, also for the next one', async () => {
  render(<SharedCandidates page={aSharedPage({ hasVideo: true }, { hasVideo: true })} onLost={() => {}} />);
  const playbackRate = () => document.querySelector('video')?.playbackRate;
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Speed' }), '1.5×');
  expect(playbackRate()).toBe(1.5);
  await userEvent.keyboard('>');
  expect(playbackRate()).toBe(1.75);
  await userEvent.click(screen.getByRole('button', { name: 'Next candidate' }));
  expect(playbackRate()).toBe(1.75);
});
