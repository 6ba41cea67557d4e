/** The largest `integer` of PostgreSQL. */
export const LARGEST_ROW_ID = 2_147_483_647;

/** Keeps `page * limit` an exact integer that PostgreSQL takes as an offset. */
export const LAST_PAGE = 100_000_000;

/** How often a query parameter may be repeated. */
export const MOST_REPEATED = 1_000;

/** The longest search, in characters. */
export const SEARCH_LIMIT = 200;

/** Transcripts and summaries are stored as written, up to this many characters. */
export const TEXT_LIMIT = 200_000;

/** Characters of the notes beside a link to a job application. */
export const NOTES_LIMIT = 2_000;

/** The longest recording whose length we believe: 7 days. */
export const LONGEST_SECONDS = 604_800;

/** Section 5 of the specification: the limits of the funnel form, used by the form, the counter beside a field, and the server. */
export const FUNNEL_LIMITS = {
  name: 100,
  clientName: 50,
  apiKey: 100,
  funnelId: 100,
  directLink: 200,
  description: 2_000,
  skills: 200,
  professionalExpectations: 500,
  skillExpectations: 500,
  educationExpectations: 500,
  cultureExpectations: 500,
} as const;
