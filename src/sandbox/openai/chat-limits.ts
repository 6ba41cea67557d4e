import type { RequestFaults } from '#sandbox/faults/fault-list.ts';
import type { ChatRequest } from './chat-request.ts';
import type { Refusal } from './refusal.ts';

/** Returns the reason why the model refuses the request, or null. */
export function refusalOf(request: ChatRequest, faults: RequestFaults): Refusal | null {
  if (request.model !== SANDBOX_CHAT.model)
    return { status: 404, message: `The model \`${request.model}\` does not exist.`, code: 'model_not_found' };
  return refusalOfFormat(request, faults) ?? refusalOfTemperature(request, faults) ?? refusalOfLength(request, faults);
}

function refusalOfFormat({ response_format, messages }: ChatRequest, faults: RequestFaults): Refusal | null {
  const format = response_format?.type ?? 'text';
  // OpenAI requires this for the format.
  if (format === 'json_object' && !messages.some(({ content }) => /json/i.test(content)))
    return { status: 400, message: "'messages' must contain the word 'json' in some form.", param: 'messages' };
  const fault = faults.find('no-json-schema');
  const isUnknown = format === 'json_schema' || (format === 'json_object' && fault?.objectToo);
  if (!fault || !isUnknown || !faults.take('no-json-schema')) return null;
  const message = `Invalid parameter: 'response_format' of type '${format}' is not supported with this model.`;
  return { status: fault.status, message, param: 'response_format', asText: fault.asText };
}

function refusalOfTemperature({ temperature }: ChatRequest, faults: RequestFaults): Refusal | null {
  if (temperature === undefined || !faults.take('no-temperature')) return null;
  const message =
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) is supported.";
  return { status: 400, message, param: 'temperature', code: 'unsupported_value' };
}

function refusalOfLength({ messages }: ChatRequest, faults: RequestFaults): Refusal | null {
  const fault = faults.find('context-too-long');
  const length = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (!fault || length <= fault.maxCharacters || !faults.take('context-too-long')) return null;
  const message = `This model's maximum context length is 4096 tokens. However, your messages resulted in ${length} tokens.`;
  return { status: 400, message, param: 'messages', ...(fault.withCode && { code: 'context_length_exceeded' }) };
}

/** The model and the key that the simulated service accepts. */
export const SANDBOX_CHAT = { apiKey: 'sandbox-key-summary', model: 'sandbox-summarizer' };
