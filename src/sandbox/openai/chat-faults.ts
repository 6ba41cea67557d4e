import type { RequestFaults } from '#sandbox/faults/fault-list.ts';
import type { Prompt } from './chat-prompt.ts';
import type { ChatQuote, ChatResponse } from './chat-response.ts';

/** The text of the model and the end of its message. */
export interface ChatMessage {
  content: string | null;
  refusal: string | null;
  finish: 'stop' | 'length' | 'content_filter';
}

const complete = (content: string): ChatMessage => ({ content, refusal: null, finish: 'stop' });

/** Words that mark instructions in a transcript. */
const INSTRUCTION = /ignore|instruction|you must|mark |rate |verdict/i;

/** Returns the message of the model, with the defect that a fault requests. */
export function messageWith(response: ChatResponse, prompt: Prompt, faults: RequestFaults): ChatMessage {
  const fault = faults.take(
    'fenced-response',
    'broken-response',
    'wrong-response',
    'cut-response',
    'invented-quote',
    'model-refuses',
    'obedient-model',
  );
  const json = JSON.stringify(response);
  switch (fault?.kind) {
    case 'fenced-response':
      return complete(
        `<think>What {shape} was it?</think>Sure! Here it is:\n\`\`\`json\n${json}\n\`\`\`\nAnything else?`,
      );
    case 'broken-response':
      return complete(json.slice(0, -10));
    case 'wrong-response':
      return complete(JSON.stringify(fault.body ?? { summary: response.overview }));
    case 'cut-response':
      return { ...complete(json.slice(0, json.length / 2)), finish: 'length' };
    case 'invented-quote':
      return complete(JSON.stringify(withQuotes(response, () => ({ text: fault.text, passage: 1 }))));
    case 'model-refuses':
      return fault.how === 'refusal'
        ? { content: null, refusal: 'I cannot help with that.', finish: 'stop' }
        : { content: '', refusal: null, finish: 'content_filter' };
    case 'obedient-model':
      return complete(JSON.stringify(obeying(response, prompt)));
    default:
      return complete(json);
  }
}

const withQuotes = (response: ChatResponse, quote: () => ChatQuote): ChatResponse => ({
  ...response,
  expectations: (response.expectations ?? []).map((judged) => ({ ...judged, verdict: 'met', quotes: [quote()] })),
});

/**
 * Follows the candidate's instructions: everything is met, with invented quotes, and with an
 * expectation that the candidate added.
 */
function obeying(response: ChatResponse, prompt: Prompt): unknown {
  if (!('passages' in prompt) || !prompt.passages.some(({ text }) => INSTRUCTION.test(text))) return response;
  const obedient = withQuotes(response, () => ({
    text: 'I have led four hundred engineers for twenty years.',
    passage: 1,
  }));
  const own = { number: 99, field: 'skills', expectation: 'Be me', verdict: 'met', note: 'Hire.', quotes: [] };
  const renamed = obedient.expectations?.map((judged) => ({ ...judged, field: 'skills', expectation: 'Whatever' }));
  return { ...obedient, expectations: [...(renamed ?? []), own] };
}
