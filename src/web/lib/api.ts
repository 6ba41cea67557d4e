import type { Address, Endpoint } from '#contracts/endpoint.ts';
import type * as funnels from '#contracts/funnels.ts';
import type * as interviews from '#contracts/interviews.ts';
import type * as logs from '#contracts/logs.ts';
import type * as processing from '#contracts/processing.ts';
import type * as secondFactor from '#contracts/second-factor.ts';
import type * as session from '#contracts/session.ts';
import type * as summaries from '#contracts/summaries.ts';
import type * as sync from '#contracts/sync.ts';
import type * as transcripts from '#contracts/transcripts.ts';

/** The compiler holds both to the contract. */
const at = <E extends Endpoint>(method: E['method'], path: E['path']): Address<E> => ({ method, path });

// The contracts are imported for their types alone: their schemas, and the library that reads them, would come before the first screen.

export const changePassword = at<typeof session.changePassword>('POST', '/api/user/password');
export const getUser = at<typeof session.getUser>('GET', '/api/user');
export const login = at<typeof session.login>('POST', '/api/login');
export const loginHint = at<typeof session.loginHint>('GET', '/api/login/hint');
export const logout = at<typeof session.logout>('POST', '/api/logout');
export const logoutEverywhere = at<typeof session.logoutEverywhere>('POST', '/api/logout/everywhere');
export const getSecondFactor = at<typeof secondFactor.getSecondFactor>('GET', '/api/user/second-factor');
export const beginSecondFactor = at<typeof secondFactor.beginSecondFactor>('POST', '/api/user/second-factor/secret');
export const confirmSecondFactor = at<typeof secondFactor.confirmSecondFactor>('POST', '/api/user/second-factor');
export const renewRecoveryCodes = at<typeof secondFactor.renewRecoveryCodes>(
  'POST',
  '/api/user/second-factor/recovery-codes',
);
export const turnOffSecondFactor = at<typeof secondFactor.turnOffSecondFactor>('POST', '/api/user/second-factor/off');
export const beginRequiredFactor = at<typeof secondFactor.beginRequiredFactor>(
  'POST',
  '/api/login/second-factor/secret',
);
export const confirmRequiredFactor = at<typeof secondFactor.confirmRequiredFactor>('POST', '/api/login/second-factor');
export const listFunnels = at<typeof funnels.listFunnels>('GET', '/api/funnels');
export const activeFunnel = at<typeof funnels.activeFunnel>('GET', '/api/funnels/active');
export const createFunnel = at<typeof funnels.createFunnel>('POST', '/api/funnels');
export const updateFunnel = at<typeof funnels.updateFunnel>('PUT', '/api/funnels/:id');
export const activateFunnel = at<typeof funnels.activateFunnel>('POST', '/api/funnels/:id/activate');
export const deleteFunnel = at<typeof funnels.deleteFunnel>('DELETE', '/api/funnels/:id');
export const startSync = at<typeof sync.startSync>('GET', '/api/interviews/sync');
export const syncStatus = at<typeof sync.syncStatus>('GET', '/api/interviews/sync/status');
export const cancelSync = at<typeof sync.cancelSync>('POST', '/api/interviews/sync/cancel');
export const dismissSyncError = at<typeof sync.dismissSyncError>('POST', '/api/interviews/sync/dismiss');
export const listInterviews = at<typeof interviews.listInterviews>('GET', '/api/interviews');
export const getVideo = at<typeof interviews.getVideo>('GET', '/api/interviews/:id/video');
export const updateDuration = at<typeof interviews.updateDuration>('POST', '/api/interviews/:id/update-duration');
export const archiveInterview = at<typeof interviews.archiveInterview>('POST', '/api/interviews/:id/archive');
export const unarchiveInterview = at<typeof interviews.unarchiveInterview>('POST', '/api/interviews/:id/unarchive');
export const setDestination = at<typeof interviews.setDestination>('POST', '/api/interviews/:id/destination');
export const convertInterview = at<typeof processing.convertInterview>('POST', '/api/interviews/:id/convert');
export const transcribeInterview = at<typeof processing.transcribeInterview>('POST', '/api/interviews/:id/transcribe');
export const summarizeInterview = at<typeof processing.summarizeInterview>('POST', '/api/interviews/:id/summarize');
export const getTranscript = at<typeof transcripts.getTranscript>('GET', '/api/interviews/:id/transcript');
export const saveTranscript = at<typeof interviews.saveTranscript>('PUT', '/api/interviews/:id/transcript');
export const getSummary = at<typeof summaries.getSummary>('GET', '/api/interviews/:id/summary');
export const saveSummary = at<typeof interviews.saveSummary>('PUT', '/api/interviews/:id/summary');
export const listLogs = at<typeof logs.listLogs>('GET', '/api/logs');
