import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTranscript } from './interviews/recordings.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const PROMPT = `Interview: {"title":"Nurse","job":null,"questions":[]}
Expectations: [{"number":1,"about":"skills","expectation":"Handover, Forklift"}]
<transcript-0f>
{"passage":7,"seconds":12,"text":"I speak up at the bedside. A good handover is short."}
</transcript-0f>`;

async function ask(body: object, apiKey?: string) {
  const { url, model, apiKey: known } = sandbox.summary;
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey ?? known}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: PROMPT }], ...body }),
  });
  const { choices, error } = (await response.json()) as {
    choices?: { message: { content: string } }[];
    error?: { message: string; code: string | null };
  };
  return { status: response.status, content: JSON.parse(choices?.[0]?.message.content ?? 'null'), error };
}

describe('the simulated language model', () => {
  test('the simulated language model writes from the transcript in its prompt', async () => {
    const { content } = await ask({});
    expect(content).toMatchObject({
      overview: expect.stringContaining('bedside'),
      expectations: [
        {
          number: 1,
          verdict: 'partly',
          note: 'Evidence for Handover. Nothing on Forklift.',
          quotes: [{ text: 'A good handover is short.', passage: 7 }],
        },
      ],
      openQuestions: ['Ask for an example: Forklift.'],
    });
  });

  test('a recording of the demonstration is summarized as a person would, with questions to ask', async () => {
    const spoken = readTranscript('eng-release').text;
    const content = `Interview: {"title":"Engineer","job":null,"questions":[]}
Expectations: []
<transcript-0f>
{"passage":1,"seconds":0,"text":${JSON.stringify(spoken)}}
</transcript-0f>`;
    const response = await ask({ messages: [{ role: 'user', content }] });
    expect(response.content).toMatchObject({
      overview: expect.stringContaining('behind a switch'),
      openQuestions: ['Ask who decides when a switch is removed.'],
    });
  });

  test.each<[string, object, string | undefined, number]>([
    ['another key', {}, 'sk-other', 401],
    ['another model', { model: 'gpt-99' }, undefined, 404],
    ['no messages', { messages: [] }, undefined, 400],
    [
      'a question about something else',
      { messages: [{ role: 'user', content: 'What is the weather?' }] },
      undefined,
      400,
    ],
    [
      'a loose schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } } },
      undefined,
      400,
    ],
    ['json_object without the word', { response_format: { type: 'json_object' } }, undefined, 400],
  ])('the simulated language model refuses %s as OpenAI does', async (_, body, apiKey, status) => {
    const response = await ask(body, apiKey);
    expect(response).toMatchObject({ status, error: { message: expect.any(String) } });
  });
});
