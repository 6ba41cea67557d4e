import { readTranscript } from '#sandbox/interviews/recordings.ts';
import { openaiSummarizer } from '#server/adapters/summarizer-openai/openai-summarizer.ts';
import { sample } from '#support/make-recording.ts';

const never = new AbortController().signal;
type Variables = Record<string, string>;

/**
 * Calls the engines directly: sends the sandbox's recordings of these names, `concurrency` at a
 * time, and requests a summary as soon as each transcript has arrived. Returns milliseconds.
 */
export async function bareEngines(
  variables: Variables,
  names: readonly string[],
  concurrency: number,
): Promise<number> {
  const waiting = [...names];
  const start = performance.now();
  const summaries: Promise<void>[] = [];
  // A summary takes as long as a transcript, so at most `concurrency` summaries run at a time.
  const lane = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      await transcribe(variables, name);
      summaries.push(summarize(variables, name));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  await Promise.all(summaries);
  return performance.now() - start;
}

async function transcribe(variables: Variables, name: string): Promise<void> {
  const form = new FormData();
  form.set('model', variables.TRANSCRIPTION_MODEL ?? '');
  form.set('response_format', 'verbose_json');
  form.set('file', new File([await sample(name)], name));
  const headers = { authorization: `Bearer ${variables.TRANSCRIPTION_API_KEY}` };
  const url = `${variables.TRANSCRIPTION_URL}/audio/transcriptions`;
  const response = await fetch(url, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(`${name} was not transcribed: ${response.status} ${await response.text()}`);
  await response.json();
}

async function summarize(variables: Variables, name: string): Promise<void> {
  const { segments } = readTranscript(name.replace(/\.\w+$/, ''));
  const summarizer = openaiSummarizer({
    url: variables.SUMMARY_URL ?? '',
    apiKey: variables.SUMMARY_API_KEY ?? '',
    model: variables.SUMMARY_MODEL ?? '',
  });
  const transcript = segments.map(({ text, start }) => ({ text, startSeconds: start }));
  const request = { title: name, questions: [], jobDescription: '', expectations: [], transcript };
  await summarizer.summarize(request, never);
}
