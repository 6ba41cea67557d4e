import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#server/config/config.ts';
import type { PendingNote } from '#server/features/ats-pushes/note-removal.service.ts';
import type { CandidateCounts, Erasure, Subject } from '#server/features/candidates/candidates.service.ts';
import type { Viewer } from '#server/features/shares/candidate-shares.service.ts';
import { CommandError, type Terminal } from './command.ts';
import { describeNothing, describeSubject, isNothing, plural } from './export-candidate.ts';
import type { OpenedCandidates } from './open-candidates.ts';
import { confirm } from './terminal.ts';

/** How long the command waits for files and published videos. They are removed later otherwise. */
const REMOVAL_TIMEOUT_MS = 30_000;

/** Texts and files that cannot be recognized as the candidate's. */
const LEFT_TO_USERS =
  'Left to you: descriptions of funnels, unfinished uploads without an e-mail address, saved views with parts of the name, earlier backups, exported files and the logs of the process may still name the candidate.';

/**
 * Shows what is stored, asks for confirmation, erases it, and returns what was erased and what is
 * left to do. @throws CommandError when nothing is stored, because the address may have a typo.
 * A repetition succeeds: the earlier command may have been killed before its last steps.
 */
export async function eraseCandidate(
  opened: OpenedCandidates,
  { subject, isConfirmed }: { subject: Subject; isConfirmed: boolean },
  { config, terminal }: { config: Config; terminal: Terminal },
): Promise<string> {
  const held = await opened.candidates.count(subject);
  if (isNothing(held) && !isConfirmed)
    throw new CommandError(
      `${describeNothing(subject)} Nothing was changed. With --yes, refreshes skip interviews of this candidate from now on.`,
    );
  terminal.output.write(`Stored about ${describeSubject(subject)}:\n${describeHolding(held)}\n`);
  if (!isConfirmed) await confirm(terminal, 'All of it will be erased permanently.');
  const isRepeated = await opened.candidates.hasErased(subject);
  const erasure = await opened.candidates.erase(subject);
  // Counted again: a refresh may have been writing interviews of the candidate.
  if (isNothing(erasure) && !isRepeated)
    throw new CommandError(
      `${describeNothing(subject)} Nothing was erased, but refreshes skip interviews of this candidate from now on.`,
    );
  const isServerRunning = await opened.isServerRunning();
  const isFinished = isServerRunning ? await waitUntilFinished(erasure) : await erasure.isFinished();
  if (isFinished) await erasure.deleteFinishedJobs();
  return [
    `Erased:\n${describeHolding(erasure)}`,
    'The next refresh skips these interviews.',
    ...(await vacuum(erasure)),
    ...(await describeRest(erasure, { isFinished, isServerRunning, config })),
    ...describeViewers(erasure.viewers),
    LEFT_TO_USERS,
  ].join('\n');
}

/** The erasure is complete without it, but the database can still return erased values. */
async function vacuum(erasure: Erasure): Promise<string[]> {
  try {
    await erasure.vacuum();
    return [];
  } catch (error) {
    return [
      `The tables could not be vacuumed: ${(error as Error).message}. Until they are, dead rows and the planner's statistics contain erased values. Run VACUUM (ANALYZE) as the owner of the database.`,
    ];
  }
}

async function waitUntilFinished(erasure: Erasure): Promise<boolean> {
  const deadline = performance.now() + REMOVAL_TIMEOUT_MS;
  while (!(await erasure.isFinished())) {
    if (performance.now() > deadline) return false;
    await sleep(100);
  }
  return true;
}

async function describeRest(
  erasure: Erasure,
  { isFinished, isServerRunning, config }: { isFinished: boolean; isServerRunning: boolean; config: Config },
): Promise<string[]> {
  const lines: string[] = [];
  if (!isFinished)
    lines.push(
      isServerRunning
        ? 'The server is still removing files and published videos. It continues until all are removed.'
        : 'The server is not running. It removes files and published videos at its next start.',
    );
  for (const { url, failure } of await erasure.videosLeft()) {
    const isConnected = config.YOUTUBE_CLIENT_ID && config.YOUTUBE_CLIENT_SECRET && config.YOUTUBE_REFRESH_TOKEN;
    const reason = failure ?? (isConnected ? null : "YouTube isn't connected to this installation.");
    lines.push(reason ? `Delete this video yourself: ${url}\n  ${reason}` : `Not deleted yet: ${url}`);
  }
  lines.push(...(await erasure.notesLeft()).map(describeNote));
  if (erasure.uploads > 0)
    lines.push('An upload to YouTube had not ended. The running server deletes its video within an hour.');
  if (isFinished && lines.length === 0) lines.push('Nothing is left to do.');
  return lines;
}

const describeNote = ({ connectionId, url, failure }: PendingNote): string => {
  const where = url ?? 'on the page of the candidate';
  return failure
    ? `Delete this note in ${connectionId} yourself: ${where}\n  ${failure}`
    : `Not removed from ${connectionId} yet: ${where}`;
};

/** The recipients of links who watched, with a text that asks each to delete copies. */
function describeViewers(viewers: readonly Viewer[]): string[] {
  if (viewers.length === 0) return [];
  const people = viewers.map((viewer) => {
    const address = viewer.email === null ? viewer.name : `${viewer.name} <${viewer.email}>`;
    return `  ${address}, candidate ${viewer.n} of "${viewer.shareTitle}", shared by ${viewer.sender} on ${dayOf(viewer)}`;
  });
  return [
    'Recipients of links have watched this candidate. Ask them to delete their copies:',
    ...people,
    'For example with this text, once per person:',
    ...DELETION_REQUEST.map((line) => `  ${line}`),
  ];
}

const dayOf = ({ sharedAt }: Viewer) => sharedAt.toLocaleDateString('en-US', { dateStyle: 'long' });

/** Illinois Artificial Intelligence Video Interview Act, 820 ILCS 42/15. */
const DELETION_REQUEST = [
  'We shared video interviews with you. One of these candidates has asked us to delete their interview,',
  'and we have done so. Please delete every copy that you have of it within 30 days, including backups,',
  'recordings of your screen, and copies that you passed on, and ask those who received them to do the',
  'same (Illinois Artificial Intelligence Video Interview Act, 820 ILCS 42/15). Please confirm when it is',
  'done. The interview is the one with the number and title above.',
];

const describeHolding = ({ interviews, files, transcripts, summaries, ...rest }: CandidateCounts) => {
  const { deletedInterviews, logEntries, videos, atsNotes } = rest;
  return [
    `${plural(interviews, 'interview')}, ${plural(files, 'file')}, ${plural(transcripts, 'transcript')}, ${plural(summaries, 'summary', 'summaries')}`,
    ...(deletedInterviews > 0 ? [`${plural(deletedInterviews, 'interview')} deleted earlier with a funnel`] : []),
    `${plural(logEntries, 'log entry', 'log entries')} with mentions`,
    `${plural(videos.length, 'published video')}${videos.length > 0 ? `: ${videos.map(({ url }) => url).join(', ')}` : ''}`,
    ...(atsNotes > 0 ? [`${plural(atsNotes, 'note')} in the applicant tracking system`] : []),
  ]
    .map((line) => `  ${line}`)
    .join('\n');
};
