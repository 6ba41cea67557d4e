import { describe, expect, onTestFinished, test } from 'vitest';
import { extractiveSummarizer } from '#server/adapters/summarizer-extractive/extractive-summarizer.ts';
import { longTalk, never, spoken, summarizerStage } from '#support/summaries.ts';

const { interview } = await summarizerStage();

describe('summarizer: extractive', () => {
  test('an extractive summary contains a preface and then only sentences of the transcript', async () => {
    const { overview } = await extractiveSummarizer().summarize(interview(), never);
    const [preface, ...rest] = overview.split('\n\n');
    expect(preface).toMatch(/^Automatic excerpt, no AI model connected\./);
    const said = interview()
      .transcript.map(({ text }) => text)
      .join(' ');
    expect(said).toContain(rest.join(' '));
  });

  test('the note of an extractive verdict lists the mentioned and the missing terms', async () => {
    const { expectations, openQuestions } = await extractiveSummarizer().summarize(interview(), never);
    expect(expectations[0]?.note).toBe(
      'Mentioned: React, TypeScript, Testing. Not mentioned: Accessibility, CSS, Performance.',
    );
    expect(openQuestions[0]).toBe('Ask for an example: Accessibility, CSS, Performance.');
  });

  test.each([
    ['C++, C#', 'I wrote C# for years.', 'Mentioned: C#. Not mentioned: C++.'],
    ['Go, R', 'I go there, and we are happy.', 'Not mentioned: Go, R.'],
    ['.NET; Node.js', 'We used Node.js and .net.', 'Mentioned: .NET, Node.js.'],
    ['and Coaching, coaching teams.', 'I coach two teams.', 'Mentioned: Coaching, coaching teams.'],
    [
      'reports near misses, speaks up early',
      'I reported a near miss.',
      'Mentioned: reports near misses. Not mentioned: speaks up early.',
    ],
    ['Conflict resolution', 'There was a conflict.', 'Not mentioned: Conflict resolution.'],
    ['calms an angry customer', 'An angry customer called me.', 'Mentioned: calms an angry customer.'],
    ['…!', 'Anything at all.', 'This expectation has no searchable keywords.'],
  ])('%s in “%s”: %s', async (expectation, said, note) => {
    const request = interview({
      transcript: spoken([said]),
      expectations: [{ field: 'skillExpectations', expectation }],
    });
    expect((await extractiveSummarizer().summarize(request, never)).expectations[0]?.note).toBe(note);
  });

  test('an endless word in an expectation does not delay the summary', async () => {
    const request = interview({ expectations: [{ field: 'skills', expectation: "a'b".repeat(10_000) }] });
    const before = performance.now();
    await extractiveSummarizer().summarize(request, never);
    expect(performance.now() - before).toBeLessThan(15_000);
  });

  test('a sentence over two passages is one sentence, with the time of its beginning', async () => {
    const transcript = spoken(['Well. I have measured every', 'page with a screen reader. Then Dr. Meyer came.']);
    const request = interview({ transcript, expectations: [{ field: 'skills', expectation: 'Screen reader, Meyer' }] });
    expect((await extractiveSummarizer().summarize(request, never)).expectations[0]?.quotes).toEqual([
      { text: 'I have measured every page with a screen reader.', startSeconds: 0 },
      { text: 'Then Dr. Meyer came.', startSeconds: 7.5 },
    ]);
  });

  test.each([
    ['200,000 characters of talk', longTalk(200_000, 'So.')],
    ['addresses without a space', [{ text: 'http://a.b/'.repeat(18_000), startSeconds: 0 }]],
    ['one word', [{ text: 'a'.repeat(200_000), startSeconds: 0 }]],
    ['talk without a full stop', [{ text: 'word other team '.repeat(12_000), startSeconds: 0 }]],
  ])('the server stays responsive during %s', async (_, transcript) => {
    // Processor time of this thread, which other programs do not lengthen.
    const busyMs = () => process.threadCpuUsage().user / 1_000;
    let longestGap = 0;
    let last = busyMs();
    const beat = setInterval(() => {
      longestGap = Math.max(longestGap, busyMs() - last);
      last = busyMs();
    }, 2);
    onTestFinished(() => clearInterval(beat));
    await extractiveSummarizer().summarize(interview({ transcript }), never);
    expect(longestGap).toBeLessThan(250);
  });
});
