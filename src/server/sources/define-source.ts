import type { z } from 'zod';
import type { FactsOf, FunnelSource } from '#contracts/sources.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import type { InterviewSource } from '#server/ports/interview-source.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import type { SourceEvents } from '#server/ports/source-events.ts';

type Variables = Record<string, z.ZodType>;
type Needed<Name extends FunnelSource> = Record<FactsOf<Name>['variables'][number], z.ZodType>;

export interface LoadOptions {
  retry: RetryPolicy;
  proxy: OutgoingProxy | undefined;
  /** Called when the service no longer has fields that were read, with a message for the logs. */
  onChange: (message: string) => void;
}

type Load<V extends Variables> = (
  variables: z.output<z.ZodObject<V>>,
  options: LoadOptions,
) => Promise<InterviewSource>;

/** The server's part of a source. Its facts determine the parts that the compiler requires. */
export interface Source<Name extends FunnelSource, V extends Variables> {
  name: Name;
  /** Read from the environment, with their descriptions. */
  variables: V;
  /** Those that contain a URL of the service. */
  urls: readonly (keyof V)[];
  /** Loads the adapter with the first call, because the HTTP client takes 6 MB. */
  load: FactsOf<Name>['isRefreshed'] extends true ? Load<V> : null;
  events: FactsOf<Name>['hasEvents'] extends true ? SourceEvents : null;
}

export const defineSource = <Name extends FunnelSource, V extends Variables & Needed<Name>>(
  source: Source<Name, V>,
): Source<Name, V> => source;
