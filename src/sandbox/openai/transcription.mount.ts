import type { FaultList } from '#sandbox/faults/fault-list.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { type HeardSegment, heardIn } from './heard.ts';
import { knownSound } from './known-sound.ts';
import { recognise } from './recognise.ts';
import { soundPackets } from './sound-packets.ts';
import { answerWith, type Faulty } from './transcription-answer.ts';
import {
  isRefusal,
  type Refusal,
  readForm,
  SANDBOX_TRANSCRIPTION,
  type TranscriptionForm,
} from './transcription-form.ts';

const TRANSCRIPTION_PREFIX = '/openai/v1/audio';

/**
 * `POST /openai/v1/audio/transcriptions`: recognizes the sound of the sandbox's recordings, and no
 * other.
 */
export const transcriptionMount = ({ faults }: { faults: FaultList }): Mount => ({
  name: 'transcription',
  prefix: TRANSCRIPTION_PREFIX,
  isOutsideWorld: true,
  async handle(exchange) {
    const form = await readForm(exchange.request);
    const subject = { mount: 'transcription', path: exchange.path, funnelId: null, page: null };
    const outcome = refusalOfCaller(exchange) ?? (await transcribed(form, { faults, subject }));
    if (typeof outcome === 'string') exchange.send(200, 'text/plain; charset=utf-8', Buffer.from(outcome));
    else if (isRefusal(outcome)) refuse(exchange, outcome);
    else exchange.json(200, outcome);
  },
});

function refusalOfCaller({ method, path, request }: Exchange): Refusal | null {
  if (path !== `${TRANSCRIPTION_PREFIX}/transcriptions` || method !== 'POST')
    return { status: 404, message: `Invalid URL (${method} ${path})` };
  const [, key = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (key === SANDBOX_TRANSCRIPTION.apiKey) return null;
  return { status: 401, message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' };
}

async function transcribed(form: TranscriptionForm | Refusal, faulty: Faulty): Promise<string | object> {
  if (isRefusal(form)) return form;
  if (form.model !== SANDBOX_TRANSCRIPTION.model)
    return { status: 404, message: `The model '${form.model}' does not exist`, code: 'model_not_found' };
  const onlyJson = form.format === 'verbose_json' && faulty.faults.take(faulty.subject, 'no-verbose-json');
  if (onlyJson) return onlyJsonRefusal(onlyJson);
  const heard = await heardInFile(form.file);
  return 'message' in heard ? heard : answerWith(heard, form, faulty);
}

/** The message of the real service. */
const onlyJsonRefusal = ({ status, asText }: { status: number; asText: boolean }): Refusal => ({
  status,
  message: `response_format 'verbose_json' is not compatible with model '${SANDBOX_TRANSCRIPTION.model}'. Use 'json' or 'text' instead.`,
  code: 'unsupported_value',
  param: 'response_format',
  asText,
});

async function heardInFile(file: Uint8Array): Promise<HeardSegment[] | Refusal> {
  const packets = await soundPackets(file).catch(() => []);
  const last = packets.at(-1);
  if (!last) return { status: 400, message: 'Audio file might be corrupted or unsupported', param: 'file' };
  const stretches = recognise(packets, await knownSound());
  if (stretches) return stretches.flatMap((stretch) => heardIn(stretch, last.endSeconds));
  return { status: 400, message: 'The sandbox only recognizes the sound of the recordings that it serves.' };
}

function refuse(exchange: Exchange, { status, message, code, param, asText }: Refusal) {
  const error = { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null };
  exchange.json(status, { error: asText ? message : error });
}
