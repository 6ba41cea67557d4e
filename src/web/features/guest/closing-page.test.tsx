import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { SharedPage } from '#contracts/shares.ts';
import { serve } from '#web/testing/server-edge.ts';
import { SharedCandidates } from './shared-candidates.tsx';

const PAGE: SharedPage = {
  ...{ title: 'Two team leads', message: null, recipient: 'Ann Lee', sender: 'dana' },
  ...{ expiresAt: '2026-12-09T12:00:00.000Z', mayComment: false, mayDecide: true },
  items: [
    {
      ...{ n: 1, name: 'Ada', title: 'Team lead', contact: null, durationSeconds: 0, hasVideo: false },
      ...{ hasThumbnail: false, transcript: null, segments: [], summary: null, questions: null },
      ...{ verdict: null, verdictNote: null, comments: [] },
    },
  ],
};

test('a decision reaches the server also when the client closes the page at once', async () => {
  history.replaceState(null, '', '/s/abc');
  // The response would arrive after the page is closed.
  const seen = serve({ 'PUT /s/abc/verdict': () => new Promise<never>(() => {}) });
  render(<SharedCandidates page={PAGE} onLost={() => {}} />);
  await userEvent.click(screen.getByRole('button', { name: 'Interested' }));
  await waitFor(() => expect(seen).toHaveLength(1));
  // The browser cancels all other requests of a closed page.
  expect(seen.filter(({ outlivesPage }) => outlivesPage)).toMatchObject([
    { method: 'PUT', path: '/s/abc/verdict', body: { n: 1, verdict: 'yes', note: null } },
  ]);
});
