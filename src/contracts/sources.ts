/** The fields of the funnel form that only some sources use. */
export type SourceField = 'apiKey' | 'funnelId';

export interface SourceFacts {
  /** The name on screen. */
  name: string;
  /** The server reads the interviews. Otherwise staff upload them. */
  isRefreshed: boolean;
  /** The service lists the positions that a key can read. */
  listsPositions: boolean;
  /** One call of the service reads a single interview. */
  readsSingly: boolean;
  /** The service can announce changed interviews to a webhook. */
  hasEvents: boolean;
  /** The hint of each field, or null if the form hides the field. */
  hints: Readonly<Record<SourceField, string | null>>;
  /** The environment variables that a server needs to read the source. */
  variables: readonly string[];
}

const FACTS = {
  rest: {
    name: 'Interview service',
    isRefreshed: true,
    listsPositions: false,
    readsSingly: false,
    hasEvents: true,
    hints: {
      apiKey: "You'll find it in your interview service. Stored encrypted.",
      funnelId: "This job's ID in your interview service.",
    },
    variables: ['INTERVIEW_SERVICE_URL'],
  },
  hireflix: {
    name: 'Hireflix',
    isRefreshed: true,
    listsPositions: true,
    readsSingly: true,
    hasEvents: true,
    hints: { apiKey: 'Your Hireflix API key. Stored encrypted.', funnelId: "The position's ID in Hireflix." },
    variables: [],
  },
  videoask: {
    name: 'VideoAsk',
    isRefreshed: true,
    listsPositions: true,
    readsSingly: true,
    hasEvents: true,
    hints: {
      apiKey: 'For VideoAsk, enter your organization ID here. Stored encrypted.',
      funnelId: "The form's ID in VideoAsk.",
    },
    variables: ['VIDEOASK_CLIENT_ID', 'VIDEOASK_CLIENT_SECRET', 'VIDEOASK_REFRESH_TOKEN'],
  },
  upload: {
    name: 'Uploaded recordings',
    isRefreshed: false,
    listsPositions: false,
    readsSingly: false,
    hasEvents: false,
    hints: { apiKey: null, funnelId: null },
    variables: [],
  },
} as const satisfies Record<string, SourceFacts>;

/** Where the interviews of a funnel come from. */
export type FunnelSource = keyof typeof FACTS;
export type FactsOf<Name extends FunnelSource> = (typeof FACTS)[Name];

/** Every difference between sources, apart from the calls of their services. */
export const SOURCES: Readonly<Record<FunnelSource, SourceFacts>> = FACTS;
export const FUNNEL_SOURCES = Object.keys(FACTS) as FunnelSource[];

/** The source of a new funnel if none is chosen. Funnels can be prepared before it is set up. */
export const DEFAULT_SOURCE: FunnelSource = 'rest';

/** Stored in the fields that the source of a funnel does not use. */
export const UNUSED_FIELD = 'none';
