import { z } from 'zod';

const count = z.int().min(0);

/** Which requests a fault hits. Everything left out matches all. */
const target = {
  funnelId: z.string().optional(),
  /** The whole path, `*` standing for any characters: `/media/videos/*`. */
  path: z.string().optional(),
  /** Only listings of this page. */
  onPage: count.optional(),
  /** Lets that many matching requests through first. */
  skip: count.optional(),
  /** Stops after that many hits. */
  times: count.optional(),
};

/** The mount that a general fault hits; `interviews` (the default), `media`, or that of another stand-in. */
const on = z.string().default('interviews');

const general = [
  /** Answers later by so many milliseconds; may be combined with one other fault. */
  z.strictObject({ kind: z.literal('latency'), ms: count, on, ...target }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(300).max(599),
    /** Sends `Retry-After`, as seconds or as the date that is so many seconds ahead. */
    retryAfterSeconds: count.optional(),
    retryAfterAs: z.enum(['seconds', 'date']).optional(),
    /** Text is sent as an HTML page, anything else as JSON; the contract's error body when left out. */
    body: z.unknown().optional(),
    on,
    ...target,
  }),
  /** Takes the request and never answers. */
  z.strictObject({ kind: z.literal('hang'), on, ...target }),
  /** Resets the connection before or after sending headers that promise a body. */
  z.strictObject({ kind: z.literal('reset'), when: z.enum(['before-headers', 'after-headers']), on, ...target }),
] as const;

const list = [
  /** 200 with a text that is no JSON. */
  z.strictObject({ kind: z.literal('bad-json'), ...target }),
  /** 200 with JSON of another shape: `body`, or interviews that are no array. */
  z.strictObject({ kind: z.literal('wrong-shape'), body: z.unknown().optional(), ...target }),
  /** Ends the connection in an orderly way after so many bytes of the body, half of it when left out. */
  z.strictObject({ kind: z.literal('truncated-list'), afterBytes: count.optional(), ...target }),
  /** Each page begins with the last `count` interviews of the page before; `total` counts them again. Do not limit it to one page. */
  z.strictObject({ kind: z.literal('duplicate-ids'), count: z.int().min(1).default(1), ...target }),
  /**
   * Lists `?sig=` addresses; each listing signs afresh, and addresses from an older listing, without a signature or
   * expired by `control.expireSignatures()` answer `status`. Not counted by `times`.
   */
  z.strictObject({
    kind: z.literal('signed-urls'),
    status: z.union([z.literal(403), z.literal(410)]).default(403),
    ...target,
  }),
] as const;

const media = [
  /** Resets the connection after so many bytes of the body. */
  z.strictObject({ kind: z.literal('broken'), afterBytes: count, ...target }),
  /** Ends the connection in an orderly way after so many bytes, fewer than `Content-Length`. */
  z.strictObject({ kind: z.literal('truncated'), afterBytes: count, ...target }),
  /** Sends so many bytes, then nothing, and keeps the connection. */
  z.strictObject({ kind: z.literal('stall'), afterBytes: count, ...target }),
  z.strictObject({ kind: z.literal('slow'), bytesPerSecond: z.int().min(1), ...target }),
  /** Sends chunks without `Content-Length`. */
  z.strictObject({ kind: z.literal('no-content-length'), ...target }),
  /** Ignores `Range` and does not offer it. */
  z.strictObject({ kind: z.literal('no-range'), ...target }),
  z.strictObject({ kind: z.literal('no-etag'), ...target }),
  /** Another ETag at each request. */
  z.strictObject({ kind: z.literal('changing-etag'), ...target }),
] as const;

const google = [
  /** The token endpoint refuses with this error (RFC 6749, section 5.2). */
  z.strictObject({ kind: z.literal('token-refused'), error: z.string().default('invalid_grant'), ...target }),
  /** Access tokens say that they are good for so many seconds. */
  z.strictObject({ kind: z.literal('token-lifetime'), seconds: count, ...target }),
  /** A call with a good token is refused for Google's `reason`, such as `quotaExceeded`; or with `status` and `body`. */
  z.strictObject({
    kind: z.literal('google-refuses'),
    reason: z.string().default('quotaExceeded'),
    message: z.string().optional(),
    status: z.int().min(300).max(599).optional(),
    body: z.unknown().optional(),
    ...target,
  }),
  /** The account has no channel: it lists none, and uploads are refused. */
  z.strictObject({ kind: z.literal('no-channel'), ...target }),
  /** Keeps so many bytes of a chunk, and says so. */
  z.strictObject({ kind: z.literal('upload-keeps-less'), bytes: count, ...target }),
  /** Throws away the whole upload, and answers 308 without a range. */
  z.strictObject({ kind: z.literal('upload-keeps-nothing'), ...target }),
  /** Keeps so many bytes of a chunk, then answers 503 or resets the connection. */
  z.strictObject({
    kind: z.literal('upload-breaks'),
    afterBytes: count,
    how: z.enum(['503', 'reset']).default('503'),
    ...target,
  }),
  /** Keeps so many bytes of a chunk; then every access token has ended. */
  z.strictObject({ kind: z.literal('upload-token-ends'), afterBytes: count, ...target }),
  /** The session is no longer there. */
  z.strictObject({
    kind: z.literal('upload-forgotten'),
    status: z.union([z.literal(404), z.literal(410)]).default(404),
    ...target,
  }),
  /** Takes the last byte, publishes the video, and resets the connection instead of answering. */
  z.strictObject({ kind: z.literal('answer-lost'), ...target }),
  /** Makes new videos private whatever was asked for, as for a project without Google's audit. */
  z.strictObject({ kind: z.literal('forced-private'), ...target }),
  /** The list of videos does not have the video yet. */
  z.strictObject({ kind: z.literal('not-listed'), ...target }),
  /** A video is ready after it was asked for so many times; 2 without this. */
  z.strictObject({ kind: z.literal('processing-takes'), polls: count, ...target }),
  z.strictObject({ kind: z.literal('processing-fails'), reason: z.string().default('codec'), ...target }),
  z.strictObject({ kind: z.literal('processing-rejected'), reason: z.string().default('copyright'), ...target }),
] as const;

const chat = [
  /** The model knows no `json_schema`, and with `objectToo` no `json_object` either. */
  z.strictObject({
    kind: z.literal('no-json-schema'),
    objectToo: z.boolean().default(false),
    status: z.int().min(400).max(599).default(400),
    /** Sends the error as a text instead of an object. */
    asText: z.boolean().default(false),
    ...target,
  }),
  /** The model has its own temperature only. */
  z.strictObject({ kind: z.literal('no-temperature'), ...target }),
  /** The model reads so many characters at once. */
  z.strictObject({
    kind: z.literal('context-too-long'),
    mostCharacters: count,
    withCode: z.boolean().default(true),
    ...target,
  }),
  /** The answer stands in a code fence, between words. */
  z.strictObject({ kind: z.literal('fenced-answer'), ...target }),
  /** The answer is no JSON. */
  z.strictObject({ kind: z.literal('broken-answer'), ...target }),
  /** The answer is JSON of another shape: `body`, or only a text. */
  z.strictObject({ kind: z.literal('wrong-answer'), body: z.unknown().optional(), ...target }),
  /** The answer ends in the middle, as `finish_reason` says. */
  z.strictObject({ kind: z.literal('cut-answer'), ...target }),
  /** Everything is met, by this quote. */
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
  /** The model does what a transcript tells it to do. */
  z.strictObject({ kind: z.literal('obedient-model'), ...target }),
] as const;

const transcription = [
  /** The model answers without times only. */
  z.strictObject({
    kind: z.literal('no-verbose-json'),
    status: z.int().min(400).max(599).default(400),
    /** Sends the error as a text instead of an object. */
    asText: z.boolean().default(false),
    ...target,
  }),
  /** Words stand inside segments, which have no times of their own. */
  z.strictObject({ kind: z.literal('words-in-segments'), ...target }),
  /** Words stand beside the text, and there are no segments. */
  z.strictObject({ kind: z.literal('words-only'), ...target }),
  /** 200 with half of the JSON. */
  z.strictObject({ kind: z.literal('broken-transcript'), ...target }),
  /** 200 with `body` for an answer. */
  z.strictObject({ kind: z.literal('wrong-transcript'), body: z.unknown().optional(), ...target }),
] as const;

/** Something that goes wrong on request. */
export const Fault = z.discriminatedUnion('kind', [
  ...general,
  ...list,
  ...media,
  ...google,
  ...chat,
  ...transcription,
]);
export type Fault = z.output<typeof Fault>;
export type FaultInput = z.input<typeof Fault>;
export type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

const LIST_KINDS = list.map(({ shape }) => shape.kind.value) as FaultKind[];

const GOOGLE_KINDS = google.map(({ shape }) => shape.kind.value) as FaultKind[];

const CHAT_KINDS = chat.map(({ shape }) => shape.kind.value) as FaultKind[];

const TRANSCRIPTION_KINDS = transcription.map(({ shape }) => shape.kind.value) as FaultKind[];

/** The name of the mount that the fault hits. */
export function mountOf(fault: Fault): string {
  if ('on' in fault) return fault.on;
  if (CHAT_KINDS.includes(fault.kind)) return 'chat';
  if (TRANSCRIPTION_KINDS.includes(fault.kind)) return 'transcription';
  if (GOOGLE_KINDS.includes(fault.kind)) return 'google';
  return LIST_KINDS.includes(fault.kind) ? 'interviews' : 'media';
}
