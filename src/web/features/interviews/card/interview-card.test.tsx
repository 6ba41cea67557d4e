import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Interview } from '#contracts/interviews.ts';
import {
  anInterview,
  aSetup,
  card,
  findCard,
  openDashboard,
  READY,
  sendLive,
} from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';

/** The file is long because its tests share one card and its states. */
const badges = () => ['New', 'Processing', 'Pending', 'Sent', 'Error'].filter((name) => card().queryByText(name));

test('a card shows title, badges, client, funnel, candidate, date, duration and id', async () => {
  const questions = ['Who are you?', 'Why us?'].map((question, position) => ({ position, question }));
  openDashboard([anInterview({ processingStatus: { questions } })]);
  const shown = await findCard();
  for (const text of [
    'Amara Okafor',
    'amara@example.com',
    'St. Hedwig',
    'Nursing',
    'Recorded: March 5, 2026',
    'Duration: 2:05',
    'ID:',
    'int-1',
  ]) {
    expect(await shown.findByText(text)).toBeTruthy();
  }
  expect(shown.getByRole('button', { name: '2 questions', description: 'Amara for Nursing' })).toBeTruthy();
  expect(shown.getByRole('button', { name: 'Play Amara for Nursing' })).toBeTruthy();
  expect(shown.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'YouTube',
    'Transcript',
    'Summary',
    'Scores',
    'Destination',
  ]);
});

test('a card names missing values', async () => {
  openDashboard([anInterview({ candidateName: null, candidateEmail: null, funnelIdNum: 77, duration: 0 })]);
  const shown = await findCard();
  for (const text of ['No candidate name', 'No email available', 'Unknown Funnel', 'Duration: 0:00']) {
    expect(await shown.findByText(text)).toBeTruthy();
  }
});

test('every step tab has the state of its step as its description', async () => {
  openDashboard([
    anInterview({ youtubeId: 'yt', transcriptionStatus: 'failed', summaryStatus: 'in-progress', destinationId: null }),
  ]);
  const shown = await findCard();
  for (const [name, description] of [
    ['YouTube', 'done'],
    ['Transcript', 'failed'],
    ['Summary', 'running'],
    ['Destination', 'not started'],
  ] as const)
    expect(shown.getByRole('tab', { name }).getAttribute('aria-description')).toBe(description);
});

test('a compact row shows the same facts and the state of every step, and unfolds the tabs', async () => {
  const { user } = openDashboard([anInterview({ youtubeId: 'yt', summaryStatus: 'failed' })], {}, '/?layout=compact');
  const shown = await findCard();
  for (const text of ['Amara Okafor', 'amara@example.com', 'St. Hedwig', 'Recorded: March 5, 2026', 'Duration: 2:05'])
    expect(await shown.findByText(text)).toBeTruthy();
  expect(
    within(shown.getByRole('list', { name: 'Steps' }))
      .getAllByRole('listitem')
      .map((step) => step.textContent),
  ).toEqual(['YouTube: done', 'Transcript: not started', 'Summary: failed', 'Destination: not started']);
  await user.click(shown.getByRole('button', { name: 'Details of Amara for Nursing' }));
  expect(shown.getByRole('tab', { name: 'Summary' }).getAttribute('aria-selected')).toBe('true');
});

test('the thumbnail falls back from the local file to the remote address, then to the initials', async () => {
  openDashboard([anInterview()]);
  await findCard();
  const picture = () => screen.getByRole('article').querySelector('img');
  expect(picture()?.getAttribute('src')).toBe('/api/files/thumbnail/thumb%201.jpg');
  fireEvent.error(picture() as Element);
  expect(picture()?.getAttribute('src')).toBe('https://far.example.com/thumb.jpg');
  fireEvent.error(picture() as Element);
  expect(picture()).toBeNull();
  expect(screen.getByRole('button', { name: 'Play Amara for Nursing' }).textContent).toBe('AO');
});

const BADGES: [string[], Partial<Interview>][] = [
  [['New'], {}],
  [['New', 'Processing'], { transcriptionStatus: 'in-progress' }],
  [['Pending'], { youtubeId: 'yt' }],
  [['Pending', 'Error'], { youtubeId: 'yt', summaryStatus: 'failed' }],
  [['Sent'], { ...READY, destinationId: 'BUB-A-1' }],
];
for (const [names, part] of BADGES) {
  test(`an interview with ${JSON.stringify(part)} shows ${names.join(' and ')}`, async () => {
    openDashboard([anInterview(part)]);
    await findCard();
    expect(badges()).toEqual(names);
  });
}

const STEPS = [
  ['convert', 'YouTube', 'Convert to YouTube', 'Converting (0%)', 'Conversion'],
  ['transcribe', 'Transcript', 'Generate Transcript', 'Processing...', 'Transcription'],
  ['summarize', 'Summary', 'Generate Summary', 'Processing...', 'Summary Generation'],
] as const;
for (const [step, tab, button, busy, name] of STEPS) {
  test(`${step} is requested without a body, shows Processing, then a toast, and the list reloads`, async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { user, seen, lists } = openDashboard([anInterview()], {
      [`POST /api/interviews/int-1/${step}`]: () => promise,
    });
    await user.click((await findCard()).getByRole('tab', { name: tab }));
    await user.click(card().getByRole('button', { name: button }));
    await waitFor(() => expect(badges()).toEqual(['New', 'Processing']));
    expect(card().getByRole('button', { name: busy }).getAttribute('aria-disabled')).toBe('true');
    expect(lists()).toHaveLength(1);
    resolve(json({ message: 'It is queued.' }, 202));
    await expectToast(`${name} Started`, 'It is queued.');
    expect(seen.find(({ method }) => method === 'POST')?.body).toBeUndefined();
    await waitFor(() => expect(lists()).toHaveLength(2));
  });

  test(`${step} that ends before the response to its start is announced after it`, async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { user, lists } = openDashboard([anInterview()], { [`POST /api/interviews/int-1/${step}`]: () => promise });
    await user.click((await findCard()).getByRole('tab', { name: tab }));
    await user.click(card().getByRole('button', { name: button }));
    await sendLive({
      type: `${name.split(' ')[0]?.toLowerCase()}-failed`,
      data: { interviewId: 'int-1', message: 'It broke.' },
    });
    expect(document.body.textContent).not.toContain('It broke.');
    resolve(json({ message: 'It is queued.' }, 202));
    await expectToast(`${name.split(' ')[0]} Failed`, 'It broke.', 'destructive');
    await waitFor(() => expect(lists().length).toBeGreaterThan(1));
  });

  test(`${step} that cannot start shows the reason`, async () => {
    const { user } = openDashboard([anInterview()], {
      [`POST /api/interviews/int-1/${step}`]: () => json({ message: 'It is not configured.' }, 409),
    });
    await user.click((await findCard()).getByRole('tab', { name: tab }));
    await user.click(card().getByRole('button', { name: button }));
    await expectToast(`${name} Failed`, 'It is not configured.', 'destructive');
    expect(card().getByRole('button', { name: button })).toBeTruthy();
  });
}

test('an interview without a video has no play button and cannot be converted', async () => {
  openDashboard([anInterview({ videoUrl: null, videoFile: null, hasLocalCopy: false })]);
  const shown = await findCard();
  expect(shown.getByText('No video')).toBeTruthy();
  expect(shown.queryByRole('button', { name: /^Play / })).toBeNull();
  expect(shown.getByRole('button', { name: 'Convert to YouTube' })).toHaveProperty('disabled', true);
  expect(shown.getByText('This interview has no video.')).toBeTruthy();
});

test('a failure that would repeat is gray, can be dismissed, and the text can be written by hand', async () => {
  const record = {
    status: 'failed',
    updatedAt: '2026-03-05T12:00:00.000Z',
    error: 'No sound.',
    permanent: true,
  } as const;
  const interview = anInterview({
    transcriptionStatus: 'failed',
    processingStatus: { questions: [], transcription: record },
  });
  const text = { transcriptionText: null, version: 'v1', source: null, segments: [] };
  const { user, seen } = openDashboard([interview], {
    'GET /api/interviews/int-1/transcript': text,
    'POST /api/interviews/int-1/dismiss-failures': { message: 'Dismissed.' },
  });
  const shown = await findCard();
  expect(shown.getByRole('tab', { name: 'Transcript' }).getAttribute('aria-description')).toBe('not possible');
  await user.click(shown.getByRole('button', { name: 'Write it yourself' }));
  expect(await screen.findByLabelText('Transcript text')).toHaveProperty('value', '');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(shown.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(seen.some(({ path }) => path.endsWith('/dismiss-failures'))).toBe(true));
});

test('without YouTube nothing can be converted, and the card shows why', async () => {
  openDashboard([anInterview()], { 'GET /api/setup': aSetup({ youtube: false }) });
  const shown = await findCard();
  expect(await shown.findByText("YouTube isn't connected.")).toBeTruthy();
  expect(shown.getByRole('button', { name: 'Convert to YouTube' })).toHaveProperty('disabled', true);
});

test('pressing the picture of an interview without a video shows Video not available', async () => {
  const { user } = openDashboard([anInterview({ videoUrl: null, videoFile: null, hasLocalCopy: false })]);
  await user.click((await findCard()).getByRole('button', { name: 'No video: Amara for Nursing' }));
  await expectToast('Error', 'Video not available', 'destructive');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('answers that are being joined show Preparing video with the length known so far, and play as separate answers', async () => {
  const separate = { videoUrl: null, videoFile: null, hasLocalCopy: false, duration: 0 };
  openDashboard([
    anInterview({ ...separate, separateAnswers: { seconds: 40.6, isPreparing: true } }),
    anInterview({ ...separate, id: 'int-2', title: 'Apart', separateAnswers: { seconds: 41, isPreparing: false } }),
  ]);
  const preparing = await findCard();
  expect(preparing.getByRole('button', { name: 'Preparing video: Amara for Nursing' })).toBeTruthy();
  expect(preparing.queryByText('No video')).toBeNull();
  expect(preparing.getByText('Duration: 0:41')).toBeTruthy();
  expect(preparing.getByText('The video is still being prepared.')).toBeTruthy();
  expect(card('Apart').getByRole('button', { name: 'Play Apart' })).toBeTruthy();
});

test('a card opens on the tab of the failed step and stays there when the step runs again', async () => {
  const error = 'The recording has no sound.';
  const failed = { status: 'failed', updatedAt: '2026-03-05T12:00:00.000Z', error } as const;
  const { user } = openDashboard(
    [
      anInterview({
        ...READY,
        transcriptionStatus: 'failed',
        processingStatus: { transcription: failed, questions: [] },
      }),
    ],
    { 'POST /api/interviews/int-1/transcribe': () => new Promise(() => {}) },
  );
  const shown = await findCard();
  expect(shown.getByText(error)).toBeTruthy();
  await user.click(shown.getByRole('button', { name: 'Generate Transcript' }));
  expect(await shown.findByRole('button', { name: 'Processing...' })).toBeTruthy();
  await user.click(shown.getByRole('tab', { name: 'YouTube' }));
  expect(shown.getByText('View on YouTube')).toBeTruthy();
});

test('a card keeps its open tab when the user returns from another screen', async () => {
  const { user } = openDashboard([anInterview()]);
  await user.click((await findCard()).getByRole('tab', { name: 'Destination' }));
  await user.click(screen.getByRole('link', { name: 'Funnels' }));
  await screen.findByRole('heading', { name: 'Funnel Management' });
  await user.click(screen.getByRole('link', { name: 'Interviews' }));
  expect((await findCard()).getByRole('tab', { name: 'Destination' }).getAttribute('aria-selected')).toBe('true');
});

test('View on YouTube opens the address of the video in a new tab', async () => {
  openDashboard([anInterview(READY)]);
  const link = (await findCard()).getByRole('link', { name: 'View on YouTube' });
  expect(link.getAttribute('href')).toBe('https://youtu.be/yt');
  expect(link.getAttribute('target')).toBe('_blank');
});

test('the tabs show View when a step is completed and Processing... while it runs', async () => {
  const { user } = openDashboard([
    anInterview({ youtubeId: 'yt', transcriptionStatus: 'completed', summaryStatus: 'in-progress' }),
  ]);
  const shown = await findCard();
  expect(shown.getByText('View on YouTube').getAttribute('target')).toBe('_blank');
  await user.click(shown.getByRole('tab', { name: 'Transcript' }));
  expect(shown.getByRole('button', { name: 'View Transcript' })).toBeTruthy();
  await user.click(shown.getByRole('tab', { name: 'Summary' }));
  expect(shown.getByRole('button', { name: 'Processing...' }).getAttribute('aria-disabled')).toBe('true');
  await user.click(shown.getByRole('tab', { name: 'Scores' }));
  await user.click(shown.getByRole('button', { name: 'View Scores' }));
  await expectToast('Coming soon');
});

test('the message of Scores has a link to the review of the interview', async () => {
  const { user } = openDashboard([anInterview()], {
    'GET /api/interviews/int-1/video': { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true },
    'GET /api/interviews/int-1/reviews': { mine: null, others: [], count: 0, average: null },
    'GET /api/funnels/1/scorecard': { criteria: [{ key: 'care', label: 'Care', low: '', middle: '', high: '' }] },
  });
  const shown = await findCard();
  await user.click(shown.getByRole('tab', { name: 'Scores' }));
  await user.click(shown.getByRole('button', { name: 'View Scores' }));
  await user.click(await screen.findByRole('button', { name: 'Review with scorecard' }));
  expect(await screen.findByRole('form', { name: 'My review' })).toBeTruthy();
  expect(location.search).toBe('?interview=int-1&scorecard=1');
  expect(document.activeElement?.textContent).toBe('Review with scorecard');
});

test('the link to the review of the interview works on other pages', async () => {
  const { user } = openDashboard([anInterview()]);
  const shown = await findCard();
  await user.click(shown.getByRole('tab', { name: 'Scores' }));
  await user.click(shown.getByRole('button', { name: 'View Scores' }));
  await user.click(screen.getByRole('link', { name: 'Funnels' }));
  await screen.findByRole('heading', { name: 'Funnel Management' });
  await user.click(await screen.findByRole('button', { name: 'Review with scorecard' }));
  expect(await screen.findByRole('dialog', { name: 'Amara for Nursing' })).toBeTruthy();
  expect(location.pathname + location.search).toBe('/?interview=int-1&scorecard=1');
});

test('a destination can be set only when the video is converted and both texts are completed', async () => {
  const { user } = openDashboard([
    anInterview({ ...READY, summaryStatus: 'failed' }),
    anInterview({ ...READY, id: 'int-2', title: 'Ready' }),
  ]);
  for (const [title, disabled] of [
    ['Amara for Nursing', true],
    ['Ready', false],
  ] as const) {
    const shown = await findCard(title);
    await user.click(shown.getByRole('tab', { name: 'Destination' }));
    expect(shown.getByRole('button', { name: 'Set Destination' })).toHaveProperty('disabled', disabled);
    const steps = ['Convert the video (done)', 'Generate the transcript (done)', 'Generate the summary (failed)'];
    expect(shown.queryByRole('list', { name: 'Needed first' })?.textContent).toBe(
      disabled ? steps.join('') : undefined,
    );
  }
});

test('an interview with a destination links to the application, or to the fallback link', async () => {
  const sent = { ...READY, destinationId: 'BUB-ACME-2026-07' };
  const { user } = openDashboard([
    anInterview({ ...sent, destinationUrl: 'https://ats.example.org/7' }),
    anInterview({ ...sent, id: 'int-2', title: 'Without link' }),
  ]);
  for (const [title, link] of [
    ['Amara for Nursing', 'https://ats.example.org/7'],
    ['Without link', 'https://ats.example.com/employers/ACME/jobs/2026-07'],
  ] as const) {
    const shown = await findCard(title);
    await user.click(shown.getByRole('tab', { name: 'Destination' }));
    expect(shown.getByText('View Application').getAttribute('href')).toBe(link);
    expect(shown.getByRole('button', { name: 'Update' })).toBeTruthy();
  }
});

test('a processing status that arrives as JSON text is parsed', async () => {
  const processingStatus = JSON.stringify({
    youtube: { status: 'in-progress', progress: 41.6, updatedAt: '2026-03-05T12:00:00Z' },
    questions: [{ position: 0, question: 'Why?' }],
  });
  openDashboard([{ ...anInterview({ youtubeStatus: 'in-progress' }), processingStatus } as unknown as Interview]);
  const shown = await findCard();
  expect(shown.getByRole('button', { name: 'Converting (42%)' })).toBeTruthy();
  expect(shown.getByRole('button', { name: '1 question' })).toBeTruthy();
});

test('a waiting step shows the reason, wherever it was started', async () => {
  const { user } = openDashboard([anInterview()]);
  const tabs = await findCard();
  const data = {
    interviewId: 'int-1',
    message: "The quota is used up. We'll retry automatically after March 3, 8:00 AM UTC.",
  };
  await sendLive({ type: 'conversion-progress', data: { ...data, progress: 12 } });
  expect(await tabs.findByText(data.message)).toBeTruthy();
  expect(tabs.getByRole('button', { name: 'Converting (12%)' })).toBeTruthy();
  expect(tabs.getByText('Processing', { exact: true })).toBeTruthy();
  await sendLive({ type: 'transcription-progress', data: { interviewId: 'int-1', message: '' } });
  await user.click(tabs.getByRole('tab', { name: 'Transcript' }));
  expect(await tabs.findByRole('button', { name: 'Processing...' })).toBeTruthy();
});

test('a conversion that has not begun is shown as queued', async () => {
  openDashboard([anInterview({ youtubeStatus: 'in-progress' })]);
  const shown = await findCard();
  expect(shown.getByRole('button', { name: 'Converting (0%)' })).toBeTruthy();
  expect(shown.getByText('Queued')).toBeTruthy();
});

test('a video that was made private shows a note next to the link', async () => {
  const note = "YouTube set this video to private instead of unlisted, because your Google project isn't verified.";
  const youtube = { status: 'completed', updatedAt: '2026-03-05T12:00:00.000Z', progress: 100, note } as const;
  openDashboard([anInterview({ ...READY, processingStatus: { youtube, questions: [] } })]);
  expect((await findCard()).getByText(note)).toBeTruthy();
});

test('live messages show the progress of a conversion; the end of a step shows a toast and reloads the list', async () => {
  const { lists } = openDashboard([anInterview()]);
  await findCard();
  const data = { interviewId: 'int-1', message: '', progress: 73 };
  await sendLive({ type: 'conversion-progress', data });
  await card().findByRole('button', { name: 'Converting (73%)' });
  expect(lists()).toHaveLength(1);
  await sendLive({ type: 'transcription-failed', data: { ...data, message: 'The recording has no sound.' } });
  await expectToast('Transcription Failed', 'The recording has no sound.', 'destructive');
  await waitFor(() => expect(lists()).toHaveLength(2));
});

const ENDS = [
  ['conversion-completed', 'Conversion Completed', 'default'],
  ['conversion-failed', 'Conversion Failed', 'destructive'],
  ['transcription-completed', 'Transcription Completed', 'default'],
  ['transcription-failed', 'Transcription Failed', 'destructive'],
  ['summary-completed', 'Summary Completed', 'default'],
  ['summary-failed', 'Summary Failed', 'destructive'],
] as const;
for (const [type, title, kind] of ENDS) {
  test(`the message ${type} shows a toast and reloads the list`, async () => {
    const { lists } = openDashboard([anInterview()]);
    await findCard();
    await sendLive({ type, data: { interviewId: 'int-1', message: 'That is why.' } });
    await expectToast(title, 'That is why.', kind);
    await waitFor(() => expect(lists()).toHaveLength(2));
  });
}

for (const [message, title, text, kind] of [
  [{ type: 'scores-completed', message: 'All judged.' }, 'Scores Completed', 'All judged.', 'default'],
  [{ type: 'video_upload_failed', data: { message: 'No space.' } }, 'Video Upload Failed', 'No space.', 'destructive'],
  [{ type: 'conversion-completed' }, 'Conversion Completed', undefined, 'default'],
] as const) {
  test(`a message of another shape shows ${title} and reloads the list`, async () => {
    const { lists } = openDashboard([anInterview()]);
    await findCard();
    await sendLive(message);
    await expectToast(title, text, kind);
    await waitFor(() => expect(lists()).toHaveLength(2));
  });
}

test('a step that ends while another page is open is announced there, and the card is current on return', async () => {
  const interview = anInterview({ transcriptionStatus: 'in-progress' });
  const { user } = openDashboard([interview]);
  await findCard();
  await user.click(screen.getByRole('link', { name: 'Funnels' }));
  await screen.findByRole('heading', { name: 'Funnel Management' });
  interview.transcriptionStatus = 'completed';
  await sendLive({ type: 'transcription-completed', data: { interviewId: 'int-1', message: 'It is written.' } });
  await expectToast('Transcription Completed', 'It is written.');
  await user.click(screen.getByRole('link', { name: 'Interviews' }));
  await waitFor(() => expect(badges()).toEqual(['Pending']));
});

test('View in the news of a completed step opens the text from any page, and the video on YouTube', async () => {
  const { user } = openDashboard([anInterview({ summaryStatus: 'completed' })], {
    'GET /api/interviews/int-1/summary': { summaryText: 'Plans ahead.', version: 'v1', structure: null },
  });
  // A toast accepts clicks one render after it appeared.
  const view = () => waitFor(() => user.click(screen.getByRole('button', { name: 'View' })));
  await findCard();
  await user.click(screen.getByRole('link', { name: 'Funnels' }));
  await screen.findByRole('heading', { name: 'Funnel Management' });
  await sendLive({ type: 'summary-completed', data: { interviewId: 'int-1', message: 'The summary is ready.' } });
  await view();
  const dialog = await screen.findByRole('dialog', { name: 'Summary' });
  await within(dialog).findByText('Plans ahead.');

  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  const youtubeUrl = 'https://youtu.be/yt';
  await sendLive({
    type: 'conversion-completed',
    data: { interviewId: 'int-1', message: 'It is on YouTube.', youtubeUrl },
  });
  await view();
  expect(opened).toHaveBeenCalledExactlyOnceWith(youtubeUrl, '_blank', 'noopener');
});
