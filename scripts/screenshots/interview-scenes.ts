import type { Page } from '@playwright/test';
import type { Interview, InterviewDetails, VideoInfo } from '#contracts/interviews.ts';
import { at, button, card, change, dashboard, fromTab, hang, play, prepared, refuse, type Scene } from './scene.ts';

/** Divides the interview into three answers, of which the last has no recording yet. */
const unjoined = (page: Page) => {
  const divide = (interview: Pick<VideoInfo, 'segments' | 'videoFile' | 'hasLocalCopy' | 'videoUrl'>) => {
    const { videoFile } = interview;
    const segment = { videoFile, thumbnailFile: null, durationSeconds: 9, startSeconds: null, question: null };
    interview.segments = [
      { ...segment, position: 0, isReady: true },
      { ...segment, position: 1, isReady: true },
      { ...segment, position: 2, videoFile: null, isReady: false },
    ];
    Object.assign(interview, { videoFile: null, videoUrl: null, hasLocalCopy: false });
  };
  return Promise.all([
    change<VideoInfo>(page, '/api/interviews/*/video', divide),
    change<InterviewDetails>(page, '/api/interviews/*?texts=*', divide),
  ]);
};

export const INTERVIEW_SCENES: readonly Scene[] = [
  {
    name: 'questions',
    show: dashboard(async (page, stage) => {
      await card(page, stage)
        .getByRole('button', { name: /^Actions for/ })
        .click();
      await page.getByRole('menuitem', { name: 'View Questions' }).click();
      await page.getByRole('dialog').waitFor();
    }),
  },
  { name: 'player', show: play((page) => page.getByRole('region', { name: 'Transcript' }).waitFor()) },
  {
    name: 'player-search',
    show: play((page) => page.getByRole('searchbox', { name: 'Search the transcript' }).fill('test')),
  },
  { name: 'player-questions', show: play((page) => page.getByRole('tab', { name: 'Questions' }).click()) },
  { name: 'player-summary', show: play((page) => page.getByRole('tab', { name: 'Summary' }).last().click()) },
  {
    name: 'player-without-transcript',
    show: dashboard(async (page) => {
      await button(page, /^Play /).click();
      await page.locator('video').waitFor();
    }, '?status=new'),
  },
  { name: 'player-edit', show: play((page) => page.getByRole('tab', { name: 'Edit' }).click()) },
  { name: 'transcript', show: fromTab('Transcript', 'View Transcript') },
  { name: 'transcript-editor', show: fromTab('Transcript', 'View Transcript', (page) => button(page, 'Edit').click()) },
  { name: 'summary', show: fromTab('Summary', 'View Summary') },
  { name: 'summary-editor', show: fromTab('Summary', 'View Summary', (page) => button(page, 'Edit').click()) },
  {
    name: 'discard-changes',
    show: fromTab('Summary', 'View Summary', async (page) => {
      await button(page, 'Edit').click();
      await page.getByRole('textbox', { name: 'Overview' }).fill('Something else.');
      await button(page, 'Cancel').click();
    }),
  },
  { name: 'destination', show: fromTab('Destination', 'Set Destination') },
  {
    name: 'destination-notes',
    show: fromTab('Destination', 'Set Destination', (page) =>
      page.getByRole('tab', { name: 'Additional Notes' }).click(),
    ),
  },
  { name: 'test-destination', show: at('/test-destination', (page) => page.getByRole('heading', { level: 1 })) },
  {
    name: 'questions-none',
    show: prepared(
      (page) =>
        change<{ interviews: Interview[] }>(page, '/api/interviews?*', ({ interviews }) => {
          for (const { processingStatus } of interviews) processingStatus.questions = [];
        }),
      dashboard(async (page) => {
        await button(page, '0 questions').click();
        await page.getByRole('dialog').waitFor();
      }),
    ),
  },
  {
    name: 'player-unjoined',
    show: prepared(
      unjoined,
      play((page) => page.getByRole('tab', { name: 'Questions' }).click()),
    ),
  },
  {
    name: 'player-help',
    show: play(async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    }),
  },
  {
    name: 'player-not-available',
    show: prepared(
      (page) =>
        change<VideoInfo>(page, '/api/interviews/*/video', (video) =>
          Object.assign(video, { videoUrl: null, videoFile: null, hasLocalCopy: false }),
        ),
      dashboard(async (page, stage) => {
        await card(page, stage)
          .getByRole('button', { name: /^Play / })
          .click();
        await page.getByText('Video not available').first().waitFor();
      }),
    ),
  },
  {
    name: 'player-error',
    show: prepared(
      (page) => refuse(page, '/api/interviews/*/video'),
      dashboard(async (page, stage) => {
        await card(page, stage)
          .getByRole('button', { name: /^Play / })
          .click();
        await page.getByRole('dialog').getByText('Could not fetch video information').first().waitFor();
      }),
    ),
  },
  {
    name: 'transcript-loading',
    show: prepared((page) => hang(page, '/api/interviews/*/transcript'), fromTab('Transcript', 'View Transcript')),
  },
  {
    name: 'transcript-error',
    show: prepared(
      (page) => refuse(page, '/api/interviews/*/transcript'),
      fromTab('Transcript', 'View Transcript', (page) => button(page, 'Retry').waitFor()),
    ),
  },
  { name: 'summary-more', show: fromTab('Summary', 'View Summary', (page) => button(page, 'More actions').click()) },
  {
    name: 'summary-regenerate',
    show: fromTab('Summary', 'View Summary', async (page) => {
      await button(page, 'More actions').click();
      await page.getByRole('menuitem', { name: 'Regenerate' }).click();
      await page.getByRole('alertdialog').waitFor();
    }),
  },
  {
    name: 'summary-editor-end',
    show: fromTab('Summary', 'View Summary', async (page) => {
      await button(page, 'Edit').click();
      await page.getByRole('dialog').getByRole('textbox').last().scrollIntoViewIfNeeded();
    }),
  },
  {
    name: 'destination-errors',
    show: fromTab('Destination', 'Set Destination', (page) =>
      page.getByRole('dialog').getByRole('button', { name: 'Set Destination' }).click(),
    ),
  },
  {
    name: 'destination-filled',
    show: fromTab('Destination', 'Set Destination', async (page) => {
      await page.getByLabel('Employer ID').fill('north-wind');
      await page.getByLabel('Job ID').fill('frontend-2026-11');
    }),
  },
];
