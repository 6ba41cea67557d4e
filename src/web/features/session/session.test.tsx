// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useLogin, useSession } from '#web/features/session/session.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { json, serve } from '#web/testing/server-edge.ts';

const CREDENTIALS = { username: 'dana', password: 'secret' };
const DANA = { id: 1, username: 'dana' };
const nobody = { 'GET /api/user': () => json({ message: 'Sign in first' }, 401) };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Who is signed in and the way to sign in, as pages use them. */
function useBoth() {
  return { session: useSession(), login: useLogin() };
}

async function open() {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(useBoth, { wrapper });
  expect(result.current.session).toEqual({ user: null, isLoading: true });
  await waitFor(() => expect(result.current.session.isLoading).toBe(false));
  return () => result.current;
}

test('the current user is stored whole', async () => {
  const whole = { ...DANA, email: 'dana@example.com' };
  serve({ 'GET /api/user': whole });
  const now = await open();
  expect(now().session.user).toEqual(whole);
});

test('signing in stores the returned user', async () => {
  serve({ ...nobody, 'POST /api/login': DANA });
  const now = await open();
  expect(now().session.user).toBeNull();
  await act(() => now().login.mutateAsync(CREDENTIALS));
  await waitFor(() => expect(now().session.user).toEqual(DANA));
});

test('a failed sign-in keeps its message and is thrown to whoever asked', async () => {
  serve({ ...nobody, 'POST /api/login': () => json({ message: 'Invalid username or password' }, 401) });
  const now = await open();
  const refused = { status: 401, message: 'Invalid username or password' };
  await act(() => expect(now().login.mutateAsync(CREDENTIALS)).rejects.toMatchObject(refused));
  await waitFor(() => expect(now().login.error).toMatchObject(refused));
  expect(now().session.user).toBeNull();
});

test('a new try sets loading and clears the error', async () => {
  const answer = Promise.withResolvers<object>();
  const answers = [json({ message: 'No' }, 401), answer.promise];
  serve({ ...nobody, 'POST /api/login': () => answers.shift() as Promise<object> });
  const now = await open();
  await act(() =>
    now()
      .login.mutateAsync(CREDENTIALS)
      .catch(() => {}),
  );
  await waitFor(() => expect(now().login.isError).toBe(true));

  act(() => now().login.mutate(CREDENTIALS));
  await waitFor(() => expect(now().login.isPending).toBe(true));
  expect(now().login.error).toBeNull();
  answer.resolve(DANA);
  await waitFor(() => expect(now().session.user).toEqual(DANA));
});
