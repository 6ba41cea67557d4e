import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { json, serve } from '#web/testing/server-edge.ts';
import { GuestApp } from './guest-app.tsx';
import { aSharedPage } from './testing/a-shared-page.ts';

const button = (name: string) => screen.findByRole('button', { name });
const noteField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'A note for dana (optional)' });

/** Opens a link to two candidates. The client has decided on the first, Ada. */
async function openLink(saveVerdict: () => Response | Promise<Response>) {
  history.replaceState(null, '', '/s/abc');
  const greeting = JSON.stringify({ recipient: 'Ann Lee', sender: 'dana', needsPasscode: false });
  const meta = document.createElement('meta');
  meta.name = 'greeting';
  meta.content = greeting;
  document.head.append(meta);
  onTestFinished(() => {
    meta.remove();
    history.replaceState(null, '', '/');
  });
  const seen = serve({
    'POST /s/abc/open': {},
    'GET /s/abc/items': aSharedPage({ verdict: 'maybe' }, { name: 'Ben', title: 'Ben', verdict: 'no' }),
    'PUT /s/abc/verdict': saveVerdict,
  });
  render(<GuestApp />);
  await userEvent.click(await button('Continue as Ann Lee'));
  return { bodies: () => seen.filter(({ method }) => method === 'PUT').map(({ body }) => body) };
}

test('a note that could not be saved is there again with the reason when the client returns to it', async () => {
  let isDown = true;
  const { bodies } = await openLink(() => (isDown ? json({ message: 'Not now.' }, 503) : json({})));
  await userEvent.type(await noteField(), 'After a call');
  await userEvent.click(await button('Next candidate'));
  await waitFor(() => expect(bodies()).toHaveLength(1));
  expect((await noteField()).value).toBe('');
  await userEvent.click(await button('Ada Maybe'));
  expect((await noteField()).value).toBe('After a call');
  expect(screen.getByRole('status').textContent).toBe('Not now.');
  isDown = false;
  await userEvent.click(await button('Save'));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Saved. dana can see your decision.'));
  expect(bodies().at(-1)).toEqual({ n: 1, verdict: 'maybe', note: 'After a call' });
});

test('a note stays unsaved when it fails again after the client has returned to it', async () => {
  let respond = (_: Response) => {};
  const { bodies } = await openLink(() => new Promise<Response>((resolve) => (respond = resolve)));
  await userEvent.type(await noteField(), 'After a call');
  await userEvent.click(await button('Next candidate'));
  await userEvent.click(await button('Ada Maybe'));
  for (const count of [1, 2]) {
    await waitFor(() => expect(bodies()).toHaveLength(count));
    respond(json({ message: 'Not now.' }, 503));
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Not now.'));
    await userEvent.click(await button('Save'));
  }
  await waitFor(() => expect(bodies()).toHaveLength(3));
});

test('a decision that could not be saved is reported when the client returns to the candidate', async () => {
  await openLink(() => json({ message: 'Not now.' }, 503));
  await userEvent.click(await button('Interested'));
  await userEvent.click(await button('Next candidate'));
  expect(screen.getByRole('status').textContent).toBe('');
  await userEvent.click(await button('Ada Maybe'));
  expect(screen.getByRole('status').textContent).toBe('Not now.');
});

test('a note is still there when the client has to open the link again before it is saved', async () => {
  const { bodies } = await openLink(() => json({ message: 'Open this link again to continue.' }, 401));
  await userEvent.type(await noteField(), 'After a call');
  await userEvent.click(await button('Save'));
  await userEvent.click(await button('Continue as Ann Lee'));
  expect((await noteField()).value).toBe('After a call');
  expect(screen.getByRole('status').textContent).toBe("Your last change wasn't saved. Try again.");
  expect(await button('Save')).toHaveProperty('disabled', false);
  expect(bodies()).toHaveLength(1);
});

test('a note reaches the server when the client closes the page without saving it', async () => {
  const { bodies } = await openLink(() => json({}));
  await userEvent.type(await noteField(), 'After a call');
  window.dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(bodies()).toEqual([{ n: 1, verdict: 'maybe', note: 'After a call' }]));
});

test('a note is saved once when the client closes the page twice or after saving it', async () => {
  const { bodies } = await openLink(() => json({}));
  await userEvent.type(await noteField(), 'After a call');
  await userEvent.click(await button('Save'));
  window.dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Saved.'));
  window.dispatchEvent(new Event('pagehide'));
  expect(bodies()).toHaveLength(1);
});

test('a note reaches the server when the client closes the page while an earlier choice is being saved', async () => {
  const { bodies } = await openLink(() => new Promise<Response>(() => {}));
  await userEvent.click(await button('Interested'));
  await userEvent.type(await noteField(), 'After a call');
  window.dispatchEvent(new Event('pagehide'));
  const last = { n: 1, verdict: 'yes', note: 'After a call' };
  await waitFor(() => expect(bodies()).toEqual([{ ...last, note: null }, last]));
});
