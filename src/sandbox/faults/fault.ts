import { z } from 'zod';

const count = z.int().min(0);

/** Limits a fault to some requests. Omitted properties match all. */
const target = {
  funnelId: z.string().optional(),
  /** The whole path; `*` matches any characters: `/media/videos/*`. */
  path: z.string().optional(),
  /** Only lists with this page number. */
  onPage: count.optional(),
  /** Number of matching requests to let through first. */
  skip: count.optional(),
  /** Number of hits after which the fault ends. */
  times: count.optional(),
  /** Only every nth matching request. */
  every: z.int().min(1).optional(),
};

const fault = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.strictObject({ kind: z.literal(kind), ...fields, ...target });

/**
 * Name of the mount that a general fault affects: `interviews` (default), `media`, or another one.
 */
const on = z.string().default('interviews');

const general = [
  /** Delays the response; may be combined with one other fault. */
  fault('latency', { ms: count, on }),
  fault('status', {
    status: z.int().min(300).max(599),
    /** Sends `Retry-After`, as seconds or as a date this many seconds ahead. */
    retryAfterSeconds: count.optional(),
    retryAfterAs: z.enum(['seconds', 'date']).optional(),
    /**
     * A string is sent as an HTML page, anything else as JSON. Default: the error body of the
     * contract.
     */
    body: z.unknown().optional(),
    /** Sends `Location`, for a redirect. */
    location: z.string().optional(),
    /** Repeats the headers of the request in a message where each service has its messages. */
    repeatsHeaders: z.boolean().default(false),
    on,
  }),
  /** Accepts the request and never responds. */
  fault('hang', { on }),
  /**
   * The list has no end: every page is full and has a successor. `total` items are promised, each
   * with a text of `textBytes`. The items are new, or the first `repeats` pages return in turn.
   */
  fault('endless', { total: count.default(1), textBytes: count.default(0), repeats: count.default(0), on }),
  /** Each list has URLs of files with another `?nonce=`. The files do not depend on it. */
  fault('changing-parameter', { on }),
  /** Resets the connection before or after headers that promise a body. */
  fault('reset', { when: z.enum(['before-headers', 'after-headers']), on }),
] as const;

const list = [
  /** Returns 200 with text that is not JSON. */
  fault('bad-json', {}),
  /** Returns 200 with JSON of another shape: `body`, or interviews that are not an array. */
  fault('wrong-shape', { body: z.unknown().optional() }),
  /**
   * Ends the connection in an orderly way after this many bytes of the body. Default: half of it.
   */
  fault('truncated-list', { afterBytes: count.optional() }),
  /**
   * Each page begins with the last `count` interviews of the previous page, and `total` includes
   * the repetitions. Do not limit it to one page.
   */
  fault('duplicate-ids', { count: z.int().min(1).default(1) }),
  /**
   * Lists URLs with `?sig=`. Each list signs again; URLs of an older list, without a
   * signature, or expired by `control.expireSignatures()` return `status`. `times` does not count
   * these.
   */
  fault('signed-urls', { status: z.union([z.literal(403), z.literal(410)]).default(403) }),
] as const;

const media = [
  /** Resets the connection after this many bytes of the body. */
  fault('broken', { afterBytes: count }),
  /** Ends the connection in an orderly way after this many bytes, fewer than `Content-Length`. */
  fault('truncated', { afterBytes: count }),
  /** Sends this many bytes, then nothing, and keeps the connection open. */
  fault('stall', { afterBytes: count }),
  fault('slow', { bytesPerSecond: z.int().min(1) }),
  /** Sends chunks without `Content-Length`. */
  fault('no-content-length', {}),
  /** Ignores `Range` and does not advertise it. */
  fault('no-range', {}),
  fault('no-etag', {}),
  /** Changes the ETag with each request. */
  fault('changing-etag', {}),
] as const;

const google = [
  /** The token endpoint refuses with this error (RFC 6749, section 5.2). */
  fault('token-refused', { error: z.string().default('invalid_grant') }),
  /** Access tokens expire after this many seconds. */
  fault('token-lifetime', { seconds: count }),
  /**
   * Refuses a call with a valid token for Google's `reason`, such as `quotaExceeded`; or with
   * `status` and `body`.
   */
  fault('google-refuses', {
    reason: z.string().default('quotaExceeded'),
    message: z.string().optional(),
    status: z.int().min(300).max(599).optional(),
    body: z.unknown().optional(),
  }),
  /** The account has no channel: it lists none, and rejects uploads. */
  fault('no-channel', {}),
  /** Keeps this many bytes of a chunk and reports that. */
  fault('upload-keeps-less', { bytes: count }),
  /** Discards the whole upload and returns 308 without a range. */
  fault('upload-keeps-nothing', {}),
  /** Keeps this many bytes of a chunk, then returns 503 or resets the connection. */
  fault('upload-breaks', { afterBytes: count, how: z.enum(['503', 'reset']).default('503') }),
  /** Keeps this many bytes of a chunk; then every access token expires. */
  fault('upload-token-ends', { afterBytes: count }),
  /** The upload session no longer exists. */
  fault('upload-forgotten', { status: z.union([z.literal(404), z.literal(410)]).default(404) }),
  /**
   * Accepts the last byte, publishes the video, and resets the connection instead of responding.
   */
  fault('response-lost', {}),
  /**
   * Makes new videos private regardless of the request, as for a project that Google has not
   * audited.
   */
  fault('forced-private', {}),
  /** The list of videos does not contain the video yet. */
  fault('not-listed', {}),
  /** A video is ready after this many polls. Default: 2. */
  fault('processing-takes', { polls: count }),
  fault('processing-fails', { reason: z.string().default('codec') }),
  fault('processing-rejected', { reason: z.string().default('copyright') }),
] as const;

const chat = [
  /** The model does not support `json_schema`, and with `objectToo` no `json_object` either. */
  fault('no-json-schema', {
    objectToo: z.boolean().default(false),
    status: z.int().min(400).max(599).default(400),
    /** Sends the error as text instead of an object. */
    asText: z.boolean().default(false),
  }),
  /** The model supports only its default temperature. */
  fault('no-temperature', {}),
  /** The model's context has this many characters. */
  fault('context-too-long', { maxCharacters: count, withCode: z.boolean().default(true) }),
  /** The response is in a code fence between other text. */
  fault('fenced-response', {}),
  /** The response is not JSON. */
  fault('broken-response', {}),
  /** The response is JSON of another shape: `body`, or a string. */
  fault('wrong-response', { body: z.unknown().optional() }),
  /** The response is cut off, as `finish_reason` reports. */
  fault('cut-response', {}),
  /** Every expectation is met, with this quote. */
  fault('invented-quote', { text: z.string().default('I have led four hundred engineers for twenty years.') }),
  fault('model-refuses', { how: z.enum(['refusal', 'content_filter']).default('refusal') }),
  /** The model follows instructions in a transcript. */
  fault('obedient-model', {}),
] as const;

const transcription = [
  /** The model supports responses without times only. */
  fault('no-verbose-json', {
    status: z.int().min(400).max(599).default(400),
    /** Sends the error as text instead of an object. */
    asText: z.boolean().default(false),
  }),
  /** Words are inside segments, which have no times. */
  fault('words-in-segments', {}),
  /** Words are next to the text, and the response lacks segments. */
  fault('words-only', {}),
  /** 200 with half of the JSON. */
  fault('broken-transcript', {}),
  /** Returns 200 with `body`. */
  fault('wrong-transcript', { body: z.unknown().optional() }),
] as const;

const hireflix = [
  /** Returns 200 with this error and no data. */
  fault('graphql-errors', { message: z.string().default('Something went wrong'), code: z.string().optional() }),
  /** Returns 200 with this body. */
  fault('graphql-body', { body: z.string() }),
  /** The schema lacks these fields, such as `InterviewType.completed`. Not limited by `times`. */
  fault('old-schema', { without: z.array(z.string()) }),
  /** The recordings of an answer are not encoded yet. */
  fault('not-encoded', {}),
  fault('slow-response', { bytesPerSecond: z.int().min(1) }),
] as const;

const videoask = [
  /** Returns 200 with this body. */
  fault('videoask-body', { body: z.string() }),
  /** The recordings of an answer are not transcoded yet. */
  fault('not-transcoded', {}),
] as const;

const mail = [
  /** Replies with this code: to the connection, to a recipient, or to the end of the mail. */
  fault('mail-refuses', {
    code: z.int().min(400).max(599).default(451),
    at: z.enum(['connect', 'recipient', 'data']).default('recipient'),
    message: z.string().default('Try again later'),
  }),
  /** Closes every connection immediately. */
  fault('mail-away', {}),
  /** Accepts the mail and closes the connection instead of replying. */
  fault('mail-response-lost', {}),
] as const;

const ats = z.enum(['bullhorn', 'lever']).default('bullhorn');
const applicantTracking = [
  /** Returns 200 with `body`, which is sent `repeats` times. */
  fault('ats-body', {
    body: z.string(),
    repeats: z.int().min(1).default(1),
    contentType: z.string().default('application/json'),
    on: ats,
  }),
  /** Sends the body in small pieces. */
  fault('ats-slow', { bytesPerSecond: z.int().min(1), on: ats }),
  /** Stores what was written, and resets the connection instead of responding. */
  fault('ats-response-lost', { on: ats }),
  /** Searches find a note this long after it was written. */
  fault('ats-index-lags', { ms: count, on: ats }),
  /** Redirects to another data center (307), which redirects too if `isEndless`. */
  fault('bullhorn-other-data-center', { isEndless: z.boolean().default(false), on: ats }),
] as const;

/** A failure on request. */
export const Fault = z.discriminatedUnion('kind', [
  ...general,
  ...list,
  ...media,
  ...google,
  ...chat,
  ...transcription,
  ...hireflix,
  ...videoask,
  ...mail,
  ...applicantTracking,
]);
export type Fault = z.output<typeof Fault>;
export type FaultInput = z.input<typeof Fault>;
export type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

const FAULTS_BY_MOUNT: Record<string, readonly { shape: { kind: { value: string } } }[]> = {
  interviews: list,
  media,
  google,
  chat,
  transcription,
  hireflix,
  videoask,
  mail,
};

const MOUNT_BY_KIND = new Map(
  Object.entries(FAULTS_BY_MOUNT).flatMap(([mount, faults]) => faults.map(({ shape }) => [shape.kind.value, mount])),
);

/** Returns the name of the mount that the fault affects. */
export const mountOf = (fault: Fault): string | undefined => ('on' in fault ? fault.on : MOUNT_BY_KIND.get(fault.kind));
