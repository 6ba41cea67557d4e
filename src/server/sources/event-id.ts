import { z } from 'zod';

/** The id of an event at the service. */
export const EventId = z.union([z.string().min(1).max(200), z.number()]).transform(String);
