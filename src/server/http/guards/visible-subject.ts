import type { FastifyRequest } from 'fastify';

/** The rooms of the API whose paths begin with the id of an interview or of a funnel. */
type Room = 'interviews' | 'funnels';

/** For each room: throws `not_found` for an id that the caller does not see, as for one that does not exist. */
export type ExpectVisible = Record<Room, (id: string) => Promise<void>>;

/** Every route below an id, whether it is in the contracts or not. */
const SUBJECT = /^\/api\/(interviews|funnels)\/:id(\/|$)/;

/** Hides the interviews and funnels of others. Runs after validation, so that invalid input stays a 400. */
export function guardVisibility(expectVisible: ExpectVisible | undefined) {
  return async ({ signedIn, routeOptions, params }: FastifyRequest): Promise<void> => {
    if (!expectVisible || !signedIn || signedIn.funnelIds === null) return;
    const room = SUBJECT.exec(routeOptions.url ?? '')?.[1] as Room | undefined;
    if (room) await expectVisible[room](String((params as { id: string | number }).id));
  };
}
