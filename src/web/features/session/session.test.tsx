import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { json, serve } from '#web/testing/server-edge.ts';
import { useLogin, useSession } from './session.ts';

const CREDENTIALS = { username: 'dana', password: 'secret' };
const DANA = { id: 1, username: 'dana', role: 'recruiter', allFunnels: false, funnelIds: [2] };
const anonymous = { 'GET /api/user': () => json({ message: 'Sign in first' }, 401) };

/** Renders both hooks in one component. */
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

test('all fields of the current user are stored', async () => {
  const whole = { ...DANA, email: 'dana@example.com' };
  serve({ 'GET /api/user': whole });
  const now = await open();
  expect(now().session.user).toEqual(whole);
});

test('a user without a role, as the former release returns it, is an administrator', async () => {
  serve({ 'GET /api/user': { id: 1, username: 'dana' } });
  const now = await open();
  expect(now().session.user).toEqual({ ...DANA, role: 'administrator', allFunnels: true, funnelIds: [] });
});

test('signing in stores the returned user', async () => {
  serve({ ...anonymous, 'POST /api/login': DANA });
  const now = await open();
  expect(now().session.user).toBeNull();
  await act(() => now().login.mutateAsync(CREDENTIALS));
  await waitFor(() => expect(now().session.user).toEqual(DANA));
});

test('a failed sign-in keeps its message and is thrown to the caller', async () => {
  serve({ ...anonymous, 'POST /api/login': () => json({ message: 'Invalid username or password' }, 401) });
  const now = await open();
  const refused = { status: 401, message: 'Invalid username or password' };
  await act(() => expect(now().login.mutateAsync(CREDENTIALS)).rejects.toMatchObject(refused));
  await waitFor(() => expect(now().login.error).toMatchObject(refused));
  expect(now().session.user).toBeNull();
});

test('a new sign-in attempt sets loading and clears the error', async () => {
  const response = Promise.withResolvers<object>();
  const responses = [json({ message: 'No' }, 401), response.promise];
  serve({ ...anonymous, 'POST /api/login': () => responses.shift() as Promise<object> });
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
  response.resolve(DANA);
  await waitFor(() => expect(now().session.user).toEqual(DANA));
});
