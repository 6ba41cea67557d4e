import { screen, within } from '@testing-library/react';
import type { Funnel } from '#contracts/funnels.ts';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { type SeenRequest, serve } from '#web/testing/server-edge.ts';

/** An inactive funnel whose name, key and time of creation depend on its id. */
export const numberedFunnel = (id: number, part: Partial<Funnel> = {}): Funnel =>
  aFunnel({
    id,
    name: `Funnel ${id}`,
    clientName: null,
    apiKey: 'secret-key',
    funnelId: `ext-${id}`,
    isActive: false,
    createdAt: new Date(Date.UTC(2026, 0, id)).toISOString(),
    interviewCount: 0,
    ...part,
  });

/** Renders the page with these funnels. `responses` are further responses of the server. */
export function openFunnels(funnels: Funnel[], responses: Parameters<typeof serve>[0] = {}, path = '/funnels') {
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana' },
    'GET /api/funnels': () => funnels,
    'GET /api/automations': [],
    ...responses,
  });
  return { user: renderApp(path), seen };
}
/** The queries of the card with this name. */
export const cardOf = (name: string) => within(screen.getByRole('article', { name }));

/** The requests that change something. */
export const changesIn = (seen: SeenRequest[]) => seen.filter(({ method }) => method !== 'GET');
