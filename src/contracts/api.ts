import type { Endpoint } from './endpoint.ts';
import * as funnels from './funnels.ts';
import * as interviews from './interviews.ts';
import * as logs from './logs.ts';
import * as processing from './processing.ts';
import * as secondFactor from './second-factor.ts';
import * as session from './session.ts';
import * as summaries from './summaries.ts';
import * as sync from './sync.ts';
import * as transcripts from './transcripts.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;

/** Every endpoint of the API. The tables that test permissions and bad input walk this list; a server that lacks one fails to start. */
export const API: readonly Endpoint[] = [
  session,
  secondFactor,
  funnels,
  sync,
  interviews,
  processing,
  transcripts,
  summaries,
  logs,
].flatMap((room) => Object.values(room).filter(isEndpoint));
