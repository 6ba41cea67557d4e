import type { RequestFaults } from '#sandbox/faults/fault-list.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { knownSound } from './known-sound.ts';
import { recognize } from './recognize.ts';
import { type Refusal, refusalOfCaller, refuse } from './refusal.ts';
import { soundPackets } from './sound-packets.ts';
import { type SpokenSegment, segmentsIn } from './spoken-segments.ts';
import { isRefusal, readForm, SANDBOX_TRANSCRIPTION, type TranscriptionForm } from './transcription-form.ts';
import { transcriptionResponse } from './transcription-response.ts';

const TRANSCRIPTION_PREFIX = '/openai/v1/audio';

/**
 * `POST /openai/v1/audio/transcriptions`: recognizes the sound of the sandbox's recordings, and no
 * other.
 */
export const transcriptionMount = (): Mount => ({
  name: 'transcription',
  prefix: TRANSCRIPTION_PREFIX,
  async handle(exchange) {
    const form = await readForm(exchange.request);
    const outcome =
      refusalOfCaller(exchange, `${TRANSCRIPTION_PREFIX}/transcriptions`, SANDBOX_TRANSCRIPTION.apiKey) ??
      (await transcribe(form, exchange.faults));
    if (typeof outcome === 'string') exchange.send(200, 'text/plain; charset=utf-8', Buffer.from(outcome));
    else if (isRefusal(outcome)) refuse(exchange, outcome);
    else exchange.json(200, outcome);
  },
});

async function transcribe(form: TranscriptionForm | Refusal, faults: RequestFaults): Promise<string | object> {
  if (isRefusal(form)) return form;
  if (form.model !== SANDBOX_TRANSCRIPTION.model)
    return { status: 404, message: `The model '${form.model}' does not exist`, code: 'model_not_found' };
  const onlyJson = form.format === 'verbose_json' && faults.take('no-verbose-json');
  if (onlyJson) return onlyJsonRefusal(onlyJson);
  const spoken = await recognizeFile(form.file);
  return 'message' in spoken ? spoken : transcriptionResponse(spoken, form, faults);
}

/** The message of the real service. */
const onlyJsonRefusal = ({ status, asText }: { status: number; asText: boolean }): Refusal => ({
  status,
  message: `response_format 'verbose_json' is not compatible with model '${SANDBOX_TRANSCRIPTION.model}'. Use 'json' or 'text' instead.`,
  code: 'unsupported_value',
  param: 'response_format',
  asText,
});

async function recognizeFile(file: Uint8Array): Promise<SpokenSegment[] | Refusal> {
  const packets = await soundPackets(file).catch(() => []);
  const last = packets.at(-1);
  if (!last) return { status: 400, message: 'Audio file might be corrupted or unsupported', param: 'file' };
  const stretches = recognize(packets, await knownSound());
  if (stretches) return stretches.flatMap((stretch) => segmentsIn(stretch, last.endSeconds));
  return { status: 400, message: 'The sandbox only recognizes the sound of the recordings that it serves.' };
}
