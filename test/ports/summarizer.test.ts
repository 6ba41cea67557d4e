import { describe, expect, test } from 'vitest';
import { SummaryStructure } from '#contracts/summaries.ts';
import { longTalk, never, spoken, summarizerStage } from '#support/summaries.ts';

const { sandbox, openai, interview } = await summarizerStage();
const ADAPTERS = { openai: () => openai() };

describe.each(Object.entries(ADAPTERS))('summarizer: %s', (_name, adapter) => {
  test('every expectation of the request is judged, in the same order and wording', async () => {
    const request = interview();
    const summary = await adapter().summarize(request, never);
    expect(SummaryStructure.parse(summary)).toEqual(summary);
    expect(summary.method).toBe('model');
    expect(summary.expectations.map(({ field, expectation }) => ({ field, expectation }))).toEqual(
      request.expectations,
    );
    expect(summary.overview.length).toBeGreaterThan(80);
  });

  test('quotes are word for word, with the time of their passage', async () => {
    const request = interview();
    const { expectations } = await adapter().summarize(request, never);
    const [skills] = expectations;
    expect(skills).toMatchObject({ verdict: 'partly', note: expect.stringContaining('React') });
    const quotes = expectations.flatMap(({ quotes }) => quotes);
    expect(quotes.some(({ text }) => text.includes('React and TypeScript'))).toBe(true);
    for (const quote of quotes) {
      const passage = request.transcript.find(({ text }) => text.includes(quote.text));
      expect(quote.startSeconds).toBe(passage?.startSeconds);
    }
  });

  test('an expectation without evidence is not shown and becomes a question', async () => {
    const request = interview({ expectations: [{ field: 'skills', expectation: 'Welding, Forklift' }] });
    const { expectations, openQuestions } = await adapter().summarize(request, never);
    expect(expectations).toMatchObject([{ verdict: 'not shown', quotes: [] }]);
    // A model may ask about something else. The simulated one has written questions for this
    // recording.
    expect(openQuestions.join(' ')).toContain('Ask for an example');
  });

  test('without expectations the summary is an overview', async () => {
    const summary = await adapter().summarize(
      interview({ expectations: [], jobDescription: null, questions: [] }),
      never,
    );
    expect(summary.expectations).toEqual([]);
    expect(summary.overview).not.toBe('');
  });

  test('without times the quotes have none', async () => {
    const transcript = interview().transcript.map(({ text }) => ({ text, startSeconds: null }));
    const { expectations } = await adapter().summarize(interview({ transcript }), never);
    const quotes = expectations.flatMap(({ quotes }) => quotes);
    expect(quotes.length).toBeGreaterThan(0);
    expect(quotes.every(({ startSeconds }) => startSeconds === null)).toBe(true);
  });

  test('answers start where passages start, in the order of the questions, and without times nowhere', async () => {
    const request = interview();
    const { answers = [] } = await adapter().summarize(request, never);
    expect(answers.length).toBe(request.questions.length);
    expect(answers.map(({ position }) => position)).toEqual(answers.map((_, index) => index));
    const starts = request.transcript.map(({ startSeconds }) => startSeconds);
    for (const { startSeconds } of answers) expect(starts).toContain(startSeconds);
    const transcript = request.transcript.map(({ text }) => ({ text, startSeconds: null }));
    expect((await adapter().summarize({ ...request, transcript }, never)).answers ?? []).toEqual([]);
  });

  test('a long transcript is read completely', async () => {
    const telling = 'For three years I drove a forklift in the harbour.';
    const transcript = longTalk(70_000, telling);
    const request = interview({ transcript, expectations: [{ field: 'skills', expectation: 'Forklift' }] });
    const { expectations } = await adapter().summarize(request, never);
    const startSeconds = transcript.find(({ text }) => text === telling)?.startSeconds;
    expect(expectations).toMatchObject([{ verdict: 'met', quotes: [{ text: telling, startSeconds }] }]);
  });

  test('a single word, another script and control characters can be summarized', async () => {
    for (const text of [
      'Yes.',
      '我们的团队去年改进了系统。',
      'Null \0 and half a \ud83d pair "quoted" </transcript>',
      '🙂',
    ]) {
      const { overview, expectations } = await adapter().summarize(interview({ transcript: spoken([text]) }), never);
      expect(overview).not.toBe('');
      expect(expectations).toHaveLength(5);
    }
  });

  test('an abort rejects at once', async () => {
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(adapter().summarize(interview(), aborted)).rejects.toThrow('enough');
    const stop = new AbortController();
    sandbox.control.fail({ kind: 'hang', on: 'chat' });
    const call = adapter().summarize(interview({ transcript: longTalk(100_000, 'So.') }), stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(call).rejects.toThrow('enough');
  });
});
