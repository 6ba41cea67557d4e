import type { IncomingMessage } from 'node:http';
import type { Refusal } from './refusal.ts';

const FORMATS = ['json', 'verbose_json', 'text'] as const;

export interface TranscriptionForm {
  file: Uint8Array;
  fileName: string;
  model: string;
  format: (typeof FORMATS)[number];
  /** `segment`, `word` or both. */
  granularities: string[];
}

/** The service's own limit. */
const MAX_BYTES = 25 * 2 ** 20;
/** Room for the other fields and the boundaries. */
const FORM_BYTES = 16 * 1024;
const EXTENSIONS = ['flac', 'mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'ogg', 'wav', 'webm'];

/** Reads a request and returns a refusal where the real service would refuse it. */
export async function readForm(request: IncomingMessage): Promise<TranscriptionForm | Refusal> {
  const body = await readBounded(request);
  if (!body) return { status: 413, message: `Maximum content size limit (${MAX_BYTES}) exceeded` };
  const contentType = request.headers['content-type'] ?? '';
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData().catch(() => null);
  const file = form?.get('file');
  if (!form || !(file instanceof File))
    return { status: 400, message: 'Could not parse multipart form', param: 'file' };
  const format = FORMATS.find((known) => known === (form.get('response_format') ?? 'json'));
  if (!format) return { status: 400, message: 'Unknown response format', param: 'response_format' };
  if (!EXTENSIONS.includes(file.name.split('.').at(-1) ?? ''))
    return { status: 400, message: `Invalid file format. Supported formats: ${EXTENSIONS.join(', ')}` };
  return {
    file: new Uint8Array(await file.arrayBuffer()),
    fileName: file.name,
    model: String(form.get('model')),
    format,
    granularities: form.getAll('timestamp_granularities[]').map(String),
  };
}

/**
 * Returns null for a larger body. The rest is read and discarded, so that the client receives the
 * refusal.
 */
async function readBounded(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES + FORM_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes <= MAX_BYTES + FORM_BYTES ? Buffer.concat(chunks) : null;
}

/** The model and the key that the simulated service accepts. */
export const SANDBOX_TRANSCRIPTION = { apiKey: 'sandbox-key-transcription', model: 'sandbox-transcriber' };

export const isRefusal = (outcome: object): outcome is Refusal => 'status' in outcome;
