import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { serve } from '#web/testing/server-edge.ts';
import { lazyPart } from './lazy-part.tsx';

beforeEach(() => {
  serve({});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

const failing = <Props extends object>() => lazyPart((): Promise<ComponentType<Props>> => Promise.reject(new Error()));

const show = (part: React.ReactNode) =>
  render(<QueryClientProvider client={new QueryClient()}>{part}</QueryClientProvider>);

test('a part with onClose that cannot be loaded is a dialog that can be closed', async () => {
  const Part = failing<{ onClose: () => void }>();
  const closed = Promise.withResolvers<void>();
  show(<Part onClose={closed.resolve} />);
  await screen.findByRole('dialog', { name: "Couldn't load this" });
  screen.getByRole('button', { name: 'Close' }).click();
  await closed.promise;
});

test('another part that cannot be loaded is replaced in its place, not by a dialog that stays', async () => {
  const Part = failing<{ count: number }>();
  show(<Part count={1} />);
  await screen.findByRole('heading', { name: "Couldn't load this" });
  expect(screen.queryByRole('dialog')).toBeNull();
});
