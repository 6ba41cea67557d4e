/** The largest `integer` of PostgreSQL. */
export const MAX_ROW_ID = 2_147_483_647;

/** `page * limit` stays an exact integer that PostgreSQL accepts as an offset. */
export const MAX_PAGE = 100_000_000;

export const MAX_REPEATED_VALUES = 1_000;

export const MAX_SEARCH_LENGTH = 200;

/** In characters, for a transcript or a summary. */
export const MAX_TEXT_LENGTH = 200_000;

export const MAX_NOTES_LENGTH = 2_000;

/** In characters, except for the number of criteria. */
export const SCORECARD_LIMITS = { criteria: 8, key: 60, label: 100, anchor: 500 } as const;

/** Per interview. */
export const MAX_COMMENTS = 500;

/** In characters. */
export const MAX_COMMENT_LENGTH = 4_000;

/** Interviews of one bulk run. */
export const MAX_BULK_ITEMS = 10_000;

/** Per account. */
export const MAX_SAVED_VIEWS = 20;

export const MAX_VIEW_NAME_LENGTH = 60;

export const MAX_VIEW_QUERY_LENGTH = 4_000;

/** API tokens per account, expired ones included. */
export const MAX_API_TOKENS = 50;

export const MAX_TOKEN_NAME_LENGTH = 60;

/** URLs to which the product reports events. */
export const MAX_OUTGOING_WEBHOOKS = 50;

export const MAX_WEBHOOK_URL_LENGTH = 2_000;

/** An API token expires after at most this long. */
export const MAX_TOKEN_DAYS = 365;

/** 7 days. Recordings do not last longer; a longer value is wrong. */
export const MAX_DURATION_SECONDS = 604_800;

/** The shortest and the longest interval of automatic refreshes: a quarter of an hour, a week. */
export const REFRESH_MINUTES = [15, 10_080] as const;

/** New interviews of a funnel that are processed per day. */
export const MAX_DAILY_LIMIT = 10_000;

/** In characters: section 5 of the specification. */
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

/** In characters. */
export const UPLOAD_LIMITS = {
  candidateName: 200,
  candidateEmail: 254,
  title: 200,
  fileName: 255,
  /** The picture in base64. */
  thumbnail: 400_000,
} as const;

/** Per account. */
export const MAX_UNFINISHED_UPLOADS = 200;

/** Per share. Lengths are in characters. */
export const SHARE_LIMITS = {
  recipients: 10,
  interviews: 50,
  name: 200,
  title: 200,
  message: 2_000,
  /** The note to a verdict. */
  note: 1_000,
  comment: 4_000,
  /** Comments per link. */
  comments: 500,
  /** Watched ranges per request. */
  ranges: 200,
  /** The longest time until a link expires. */
  days: 180,
} as const;
