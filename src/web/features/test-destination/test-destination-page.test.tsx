import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '#web/testing/render-app.tsx';
import { serve } from '#web/testing/server-edge.ts';

test('the test page opens the dialog with and without a destination, and saving only shows the request', async () => {
  const seen = serve({ 'GET /api/user': { id: 1, username: 'dana' } });
  const user = renderApp('/test-destination');
  await user.click(await screen.findByRole('button', { name: 'Set Destination' }));
  await user.type(await screen.findByLabelText(/Employer ID/), 'ACME');
  await user.type(screen.getByLabelText(/Job ID/), '7');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  expect((await screen.findByText(/BUB-ACME-7/)).textContent).toContain('POST /api/interviews/{id}/destination');

  await user.click(screen.getByRole('checkbox', { name: 'With an existing destination' }));
  await user.click(screen.getByRole('button', { name: 'Update Destination' }));
  expect(await screen.findByLabelText(/Employer ID/)).toHaveProperty('value', 'ACME');
  expect(screen.getByLabelText(/Job ID/)).toHaveProperty('value', '2026-07');
  expect(seen.some(({ method }) => method !== 'GET')).toBe(false);
});
