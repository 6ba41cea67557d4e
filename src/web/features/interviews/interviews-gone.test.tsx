import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anInterview, findCard, openDashboard, say } from '#web/features/interviews/testing/open-dashboard.ts';

test('an interview that is erased goes from an open dashboard by itself', async () => {
  const shown = [anInterview(), anInterview({ id: 'int-2', interviewId: 'int-2', title: 'Ben for Nursing' })];
  const { lists } = openDashboard([], {
    'GET /api/interviews': () => ({ interviews: [...shown], total: shown.length }),
  });
  await findCard('Ben for Nursing');
  shown.shift();
  const before = lists().length;
  await say({ type: 'interviews-changed' });
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Amara for Nursing' })).toBeNull());
  expect(lists().length).toBeGreaterThan(before);
  await findCard('Ben for Nursing');
});
