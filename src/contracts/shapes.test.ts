import { expect, test } from 'vitest';
import type { z } from 'zod';
import { Account, AccountChanges, Invitation, NewAccount } from './accounts.ts';
import { ApiToken, CreatedApiToken, NewApiToken } from './api-tokens.ts';
import { Funnel, FunnelForm } from './funnels.ts';
import {
  Interview,
  ListQuery,
  listInterviews,
  ProcessingStatus,
  Question,
  StepStatus,
  VideoInfo,
} from './interviews.ts';
import { LogEntry, listLogs } from './logs.ts';
import { User } from './session.ts';
import { RefreshStatus, startSync } from './sync.ts';

const FORM =
  'name clientName apiKey funnelId directLink description skills professionalExpectations skillExpectations educationExpectations cultureExpectations';

const AUTOMATION = 'refreshMinutes newInterviews dailyLimit';

/** Section 3 of the specification, and what we add. */
const SHAPES: [string, z.ZodObject, string, string?][] = [
  ['the user', User, 'id username', 'role allFunnels funnelIds'],
  [
    'an account',
    Account,
    'id username email role allFunnels funnelIds isDisabled lastSeenAt hasSecondFactor identities',
  ],
  ['a new account', NewAccount, 'username email role allFunnels funnelIds'],
  ['a change of an account', AccountChanges, 'email role allFunnels funnelIds isDisabled'],
  ['an API token', ApiToken, 'id name scopes expiresAt', 'prefix createdAt lastUsedAt lastUsedAddress'],
  ['a new API token', NewApiToken, 'name scopes expiresAt'],
  ['a created API token', CreatedApiToken, 'id name scopes expiresAt token'],
  ['an invitation', Invitation, 'link expiresAt'],
  [
    'an interview',
    Interview,
    'interviewId id title description candidateName candidateEmail candidatePhone recordedDate duration originalUrl thumbnailUrl thumbnailFile videoUrl videoFile hasLocalCopy youtubeId youtubeUrl youtubeStatus transcriptionStatus transcriptionText summaryStatus summaryText destinationId destinationUrl clientName funnelId funnelIdNum createdAt processingStatus',
    'archived watched myRecommendation match separateAnswers push',
  ],
  ['a question', Question, 'position question', 'startSeconds'],
  ['a funnel', Funnel, `id ${FORM} isActive createdAt interviewCount`, `processAutomatically source ${AUTOMATION}`],
  ['the funnel form', FunnelForm, FORM, `processAutomatically source ${AUTOMATION}`],
  ['the video info', VideoInfo, 'videoUrl videoFile hasLocalCopy candidateName candidateEmail', 'segments'],
  [
    'the list query',
    ListQuery,
    'page limit search funnelId clientName status startDate endDate',
    'archived unwatched unreviewed decision asOf ready withoutTranscript sort texts',
  ],
  ['the list', listInterviews.response, 'interviews total', 'failures'],
  [
    'the refresh status',
    RefreshStatus,
    'inProgress processed total downloadedFiles totalFiles current error message',
    'cancelRequested funnelId timeframe queue',
  ],
  ['the response to a start', startSync.response, 'message status'],
  ['a log entry', LogEntry, 'id type action status summary createdAt details metadata', 'actor isShortened'],
  ['the logs', listLogs.response, 'logs total'],
];

test.for(SHAPES)('%s has the fields of the specification', ([, schema, specified, ours]) => {
  expect(Object.keys(schema.shape).sort()).toEqual(`${specified} ${ours ?? ''}`.trim().split(' ').sort());
});

test('the processing status has the steps with status and time, the destination and the questions', () => {
  const { youtube, transcription, summary, destination, questions } = ProcessingStatus.shape;
  expect(Object.keys(youtube.unwrap().shape)).toEqual(expect.arrayContaining(['status', 'progress']));
  for (const step of [transcription, summary]) {
    expect(Object.keys(step.unwrap().shape)).toEqual(expect.arrayContaining(['status', 'updatedAt']));
  }
  expect(Object.keys(destination.unwrap().shape)).toEqual(['id', 'url', 'notes', 'added']);
  expect(questions.element).toBe(Question);
});

test('a step is in-progress, completed or failed, or not started', () => {
  expect(StepStatus.options).toEqual(['in-progress', 'completed', 'failed']);
  for (const status of ['youtubeStatus', 'transcriptionStatus', 'summaryStatus'] as const) {
    for (const value of [...StepStatus.options, null]) expect(Interview.shape[status].parse(value)).toBe(value);
    expect(Interview.shape[status].safeParse('waiting').success).toBe(false);
  }
});

test('a refresh without a timeframe is one of all', () => {
  expect(startSync.query?.parse({})).toEqual({ timeframe: 'all' });
});
