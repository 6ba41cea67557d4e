import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { serve } from '#web/testing/server-edge.ts';
import { SharedCandidates } from './shared-candidates.tsx';
import { aSharedPage } from './testing/a-shared-page.ts';

test('a decision reaches the server also when the client closes the page at once', async () => {
  history.replaceState(null, '', '/s/abc');
  // The response would arrive after the page is closed.
  const seen = serve({ 'PUT /s/abc/verdict': () => new Promise<never>(() => {}) });
  render(<SharedCandidates page={aSharedPage({})} onLost={() => {}} />);
  await userEvent.click(screen.getByRole('button', { name: 'Interested' }));
  await waitFor(() => expect(seen).toHaveLength(1));
  // The browser cancels all other requests of a closed page.
  expect(seen.filter(({ outlivesPage }) => outlivesPage)).toMatchObject([
    { method: 'PUT', path: '/s/abc/verdict', body: { n: 1, verdict: 'yes', note: null } },
  ]);
});
