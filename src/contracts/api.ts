import * as accounts from './accounts.ts';
import * as apiTokens from './api-tokens.ts';
import * as ats from './ats.ts';
import * as atsPushes from './ats-pushes.ts';
import * as automation from './automation.ts';
import * as bulk from './bulk.ts';
import * as comments from './comments.ts';
import type { Endpoint } from './endpoint.ts';
import * as exports from './exports.ts';
import * as funnels from './funnels.ts';
import * as interviews from './interviews.ts';
import * as logs from './logs.ts';
import * as notices from './notices.ts';
import * as outgoingWebhooks from './outgoing-webhooks.ts';
import * as processing from './processing.ts';
import * as review from './review.ts';
import * as reviews from './reviews.ts';
import * as savedViews from './saved-views.ts';
import * as secondFactor from './second-factor.ts';
import * as session from './session.ts';
import * as setup from './setup.ts';
import * as shares from './shares.ts';
import * as summaries from './summaries.ts';
import * as sync from './sync.ts';
import * as transcripts from './transcripts.ts';
import * as uploads from './uploads.ts';
import * as webhooks from './webhooks.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;

/** The groups of the API documentation. */
const GROUPS = {
  Session: [session, secondFactor],
  Accounts: [accounts],
  'API tokens': [apiTokens],
  Setup: [setup, ats],
  Funnels: [funnels, automation, webhooks],
  Refresh: [sync],
  Interviews: [interviews, savedViews, bulk, atsPushes, review, transcripts, summaries, exports],
  Links: [shares],
  Reviews: [reviews, comments],
  Notifications: [notices],
  Uploads: [uploads],
  Webhooks: [outgoingWebhooks],
  Processing: [processing],
  'System Logs': [logs],
} as const;

const GROUPED = Object.entries<readonly object[]>(GROUPS).flatMap(([group, rooms]) =>
  rooms.flatMap((room) => Object.values(room).filter(isEndpoint)).map((endpoint) => ({ group, endpoint })),
);

/** Every endpoint of the API. Tests of permissions and invalid input iterate over it. */
export const API: readonly Endpoint[] = GROUPED.map(({ endpoint }) => endpoint);

export const groupOf = (endpoint: Endpoint): string | undefined =>
  GROUPED.find((grouped) => grouped.endpoint === endpoint)?.group;

type EndpointIn<Room> = Room extends unknown
  ? { [Name in keyof Room]: Room[Name] extends Endpoint ? Room[Name] : never }[keyof Room]
  : never;
type EveryEndpoint = EndpointIn<(typeof GROUPS)[keyof typeof GROUPS][number]>;

/** The type of every endpoint by its method and path: `Routes['GET /api/funnels']`. */
export type Routes = { [E in EveryEndpoint as `${E['method']} ${E['path']}`]: E };
export type Route = keyof Routes;
