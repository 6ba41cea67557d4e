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

/**
 * Name of the mount that a general fault affects: `interviews` (default), `media`, or another one.
 */
const on = z.string().default('interviews');

const general = [
  /** Delays the response; may be combined with one other fault. */
  z.strictObject({ kind: z.literal('latency'), ms: count, on, ...target }),
  z.strictObject({
    kind: z.literal('status'),
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
    ...target,
  }),
  /** Accepts the request and never responds. */
  z.strictObject({ kind: z.literal('hang'), on, ...target }),
  /**
   * The list has no end: every page is full and has a successor. `total` items are promised, each
   * with a text of `textBytes`. The items are new, or the first `repeats` pages return in turn.
   */
  z.strictObject({
    kind: z.literal('endless'),
    total: count.default(1),
    textBytes: count.default(0),
    repeats: count.default(0),
    on,
    ...target,
  }),
  /** Each list has addresses of files with another `?nonce=`. The files do not depend on it. */
  z.strictObject({ kind: z.literal('changing-parameter'), on, ...target }),
  /** Resets the connection before or after headers that promise a body. */
  z.strictObject({ kind: z.literal('reset'), when: z.enum(['before-headers', 'after-headers']), on, ...target }),
] as const;

const list = [
  /** Returns 200 with text that is not JSON. */
  z.strictObject({ kind: z.literal('bad-json'), ...target }),
  /** Returns 200 with JSON of another shape: `body`, or interviews that are not an array. */
  z.strictObject({ kind: z.literal('wrong-shape'), body: z.unknown().optional(), ...target }),
  /**
   * Ends the connection in an orderly way after this many bytes of the body. Default: half of it.
   */
  z.strictObject({ kind: z.literal('truncated-list'), afterBytes: count.optional(), ...target }),
  /**
   * Each page begins with the last `count` interviews of the previous page, and `total` includes
   * the repetitions. Do not limit it to one page.
   */
  z.strictObject({ kind: z.literal('duplicate-ids'), count: z.int().min(1).default(1), ...target }),
  /**
   * Lists addresses with `?sig=`. Each list signs again; addresses of an older list, without a
   * signature, or expired by `control.expireSignatures()` return `status`. `times` does not count
   * these.
   */
  z.strictObject({
    kind: z.literal('signed-urls'),
    status: z.union([z.literal(403), z.literal(410)]).default(403),
    ...target,
  }),
] as const;

const media = [
  /** Resets the connection after this many bytes of the body. */
  z.strictObject({ kind: z.literal('broken'), afterBytes: count, ...target }),
  /** Ends the connection in an orderly way after this many bytes, fewer than `Content-Length`. */
  z.strictObject({ kind: z.literal('truncated'), afterBytes: count, ...target }),
  /** Sends this many bytes, then nothing, and keeps the connection open. */
  z.strictObject({ kind: z.literal('stall'), afterBytes: count, ...target }),
  z.strictObject({ kind: z.literal('slow'), bytesPerSecond: z.int().min(1), ...target }),
  /** Sends chunks without `Content-Length`. */
  z.strictObject({ kind: z.literal('no-content-length'), ...target }),
  /** Ignores `Range` and does not advertise it. */
  z.strictObject({ kind: z.literal('no-range'), ...target }),
  z.strictObject({ kind: z.literal('no-etag'), ...target }),
  /** Changes the ETag with each request. */
  z.strictObject({ kind: z.literal('changing-etag'), ...target }),
] as const;

const google = [
  /** The token endpoint refuses with this error (RFC 6749, section 5.2). */
  z.strictObject({ kind: z.literal('token-refused'), error: z.string().default('invalid_grant'), ...target }),
  /** Access tokens expire after this many seconds. */
  z.strictObject({ kind: z.literal('token-lifetime'), seconds: count, ...target }),
  /**
   * Refuses a call with a valid token for Google's `reason`, such as `quotaExceeded`; or with
   * `status` and `body`.
   */
  z.strictObject({
    kind: z.literal('google-refuses'),
    reason: z.string().default('quotaExceeded'),
    message: z.string().optional(),
    status: z.int().min(300).max(599).optional(),
    body: z.unknown().optional(),
    ...target,
  }),
  /** The account has no channel: it lists none, and rejects uploads. */
  z.strictObject({ kind: z.literal('no-channel'), ...target }),
  /** Keeps this many bytes of a chunk and reports that. */
  z.strictObject({ kind: z.literal('upload-keeps-less'), bytes: count, ...target }),
  /** Discards the whole upload and returns 308 without a range. */
  z.strictObject({ kind: z.literal('upload-keeps-nothing'), ...target }),
  /** Keeps this many bytes of a chunk, then returns 503 or resets the connection. */
  z.strictObject({
    kind: z.literal('upload-breaks'),
    afterBytes: count,
    how: z.enum(['503', 'reset']).default('503'),
    ...target,
  }),
  /** Keeps this many bytes of a chunk; then every access token expires. */
  z.strictObject({ kind: z.literal('upload-token-ends'), afterBytes: count, ...target }),
  /** The upload session no longer exists. */
  z.strictObject({
    kind: z.literal('upload-forgotten'),
    status: z.union([z.literal(404), z.literal(410)]).default(404),
    ...target,
  }),
  /**
   * Accepts the last byte, publishes the video, and resets the connection instead of responding.
   */
  z.strictObject({ kind: z.literal('answer-lost'), ...target }),
  /**
   * Makes new videos private regardless of the request, as for a project that Google has not
   * audited.
   */
  z.strictObject({ kind: z.literal('forced-private'), ...target }),
  /** The list of videos does not contain the video yet. */
  z.strictObject({ kind: z.literal('not-listed'), ...target }),
  /** A video is ready after this many polls. Default: 2. */
  z.strictObject({ kind: z.literal('processing-takes'), polls: count, ...target }),
  z.strictObject({ kind: z.literal('processing-fails'), reason: z.string().default('codec'), ...target }),
  z.strictObject({ kind: z.literal('processing-rejected'), reason: z.string().default('copyright'), ...target }),
] as const;

const chat = [
  /** The model does not support `json_schema`, and with `objectToo` no `json_object` either. */
  z.strictObject({
    kind: z.literal('no-json-schema'),
    objectToo: z.boolean().default(false),
    status: z.int().min(400).max(599).default(400),
    /** Sends the error as text instead of an object. */
    asText: z.boolean().default(false),
    ...target,
  }),
  /** The model supports only its default temperature. */
  z.strictObject({ kind: z.literal('no-temperature'), ...target }),
  /** The model's context has this many characters. */
  z.strictObject({
    kind: z.literal('context-too-long'),
    maxCharacters: count,
    withCode: z.boolean().default(true),
    ...target,
  }),
  /** The response is in a code fence between other text. */
  z.strictObject({ kind: z.literal('fenced-answer'), ...target }),
  /** The response is not JSON. */
  z.strictObject({ kind: z.literal('broken-answer'), ...target }),
  /** The response is JSON of another shape: `body`, or a string. */
  z.strictObject({ kind: z.literal('wrong-answer'), body: z.unknown().optional(), ...target }),
  /** The response is cut off, as `finish_reason` reports. */
  z.strictObject({ kind: z.literal('cut-answer'), ...target }),
  /** Every expectation is met, with this quote. */
  z.strictObject({
    kind: z.literal('invented-quote'),
    text: z.string().default('I have led four hundred engineers for twenty years.'),
    ...target,
  }),
  z.strictObject({
    kind: z.literal('model-refuses'),
    how: z.enum(['refusal', 'content_filter']).default('refusal'),
    ...target,
  }),
  /** The model follows instructions in a transcript. */
  z.strictObject({ kind: z.literal('obedient-model'), ...target }),
] as const;

const transcription = [
  /** The model supports responses without times only. */
  z.strictObject({
    kind: z.literal('no-verbose-json'),
    status: z.int().min(400).max(599).default(400),
    /** Sends the error as text instead of an object. */
    asText: z.boolean().default(false),
    ...target,
  }),
  /** Words are inside segments, which have no times. */
  z.strictObject({ kind: z.literal('words-in-segments'), ...target }),
  /** Words are next to the text, and the response lacks segments. */
  z.strictObject({ kind: z.literal('words-only'), ...target }),
  /** 200 with half of the JSON. */
  z.strictObject({ kind: z.literal('broken-transcript'), ...target }),
  /** Returns 200 with `body`. */
  z.strictObject({ kind: z.literal('wrong-transcript'), body: z.unknown().optional(), ...target }),
] as const;

const hireflix = [
  /** Returns 200 with this error and no data. */
  z.strictObject({
    kind: z.literal('graphql-errors'),
    message: z.string().default('Something went wrong'),
    code: z.string().optional(),
    ...target,
  }),
  /** Returns 200 with this body. */
  z.strictObject({ kind: z.literal('graphql-body'), body: z.string(), ...target }),
  /** The schema lacks these fields, such as `InterviewType.completed`. Not limited by `times`. */
  z.strictObject({ kind: z.literal('old-schema'), without: z.array(z.string()), ...target }),
  /** The recordings of an answer are not encoded yet. */
  z.strictObject({ kind: z.literal('not-encoded'), ...target }),
  z.strictObject({ kind: z.literal('slow-answer'), bytesPerSecond: z.int().min(1), ...target }),
] as const;

const videoask = [
  /** Returns 200 with this body. */
  z.strictObject({ kind: z.literal('videoask-body'), body: z.string(), ...target }),
  /** The recordings of an answer are not transcoded yet. */
  z.strictObject({ kind: z.literal('not-transcoded'), ...target }),
] as const;

const mail = [
  /** Replies with this code: to the connection, to a recipient, or to the end of the mail. */
  z.strictObject({
    kind: z.literal('mail-refuses'),
    code: z.int().min(400).max(599).default(451),
    at: z.enum(['connect', 'recipient', 'data']).default('recipient'),
    message: z.string().default('Try again later'),
    ...target,
  }),
  /** Closes every connection immediately. */
  z.strictObject({ kind: z.literal('mail-away'), ...target }),
  /** Accepts the mail and closes the connection instead of replying. */
  z.strictObject({ kind: z.literal('mail-answer-lost'), ...target }),
] as const;

const ats = z.enum(['bullhorn', 'lever']).default('bullhorn');
const applicantTracking = [
  /** Returns 200 with `body`, which is sent `repeats` times. */
  z.strictObject({
    kind: z.literal('ats-body'),
    body: z.string(),
    repeats: z.int().min(1).default(1),
    contentType: z.string().default('application/json'),
    on: ats,
    ...target,
  }),
  /** Sends the body in small pieces. */
  z.strictObject({ kind: z.literal('ats-slow'), bytesPerSecond: z.int().min(1), on: ats, ...target }),
  /** Stores what was written, and resets the connection instead of responding. */
  z.strictObject({ kind: z.literal('ats-answer-lost'), on: ats, ...target }),
  /** Searches find a note this long after it was written. */
  z.strictObject({ kind: z.literal('ats-index-lags'), ms: count, on: ats, ...target }),
  /** Redirects to another data center (307), which redirects too if `isEndless`. */
  z.strictObject({
    kind: z.literal('bullhorn-other-data-center'),
    isEndless: z.boolean().default(false),
    on: ats,
    ...target,
  }),
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
