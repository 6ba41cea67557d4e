import type { FastifyRequest } from 'fastify';

/** The parts of the API whose paths start with the id of an interview or funnel. */
type Room = 'interviews' | 'funnels';

/** Each check throws `not_found` for hidden ids, as for ids that do not exist. */
export type ExpectVisible = Record<Room, (id: string) => Promise<void>>;

/** Matches every route below an id, including routes outside the contracts. */
const SUBJECT = /^\/api\/(interviews|funnels)\/:id(\/|$)/;

/**
 * Hides invisible interviews and funnels. Runs after validation, so that invalid input stays a 400.
 */
export function guardVisibility(expectVisible: ExpectVisible | undefined) {
  return async ({ signedIn, routeOptions, params }: FastifyRequest): Promise<void> => {
    if (!expectVisible || !signedIn || signedIn.funnelIds === null) return;
    const room = SUBJECT.exec(routeOptions.url ?? '')?.[1] as Room | undefined;
    if (room) await expectVisible[room](String((params as { id: string | number }).id));
  };
}
