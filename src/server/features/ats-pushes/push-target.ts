import { parseDestination } from '#contracts/rules/destination.ts';
import { AppError } from '#server/app-error.ts';
import type { AtsCandidate, AtsJob, AtsTarget } from '#server/ports/ats.ts';
import type { PushContent } from './pushes.repo.ts';

export type JobOfTarget = Omit<AtsTarget, 'candidateId'>;

/** Why an interview cannot be sent, and the responsible field of the request or interview. */
export interface PushRefusal {
  reason: string;
  field: 'candidateId' | 'shareId' | 'candidateEmail' | 'destinationId' | 'summaryText';
}

export const isPushRefusal = (value: object): value is PushRefusal => 'reason' in value;

export const pushRefusalError = ({ reason, field }: PushRefusal) => new AppError('conflict', reason, { field });

/** The job and the e-mail address that a push needs. */
export function findSendable(
  { destinationId, email, summary }: PushContent,
  atsName: string,
): (JobOfTarget & { email: string }) | PushRefusal {
  const job = destinationId === null ? null : parseDestination(destinationId);
  if (!job) return { reason: 'Set the destination first.', field: 'destinationId' };
  if (!summary) return { reason: 'Generate the summary first.', field: 'summaryText' };
  const address = email?.trim();
  if (!address)
    return {
      reason: `The interview has no e-mail address, so ${atsName} can't find the candidate.`,
      field: 'candidateEmail',
    };
  return { ...job, email: address };
}

/** Returns null if the ATS has the job, and the employer matches the destination. */
export function findJobRefusal(job: AtsJob | null, wanted: JobOfTarget, atsName: string): PushRefusal | null {
  if (!job) return { reason: `${atsName} has no job ${wanted.jobId}. Update the destination.`, field: 'destinationId' };
  if (job.employerId === wanted.employerId) return null;
  return {
    reason: `Job ${wanted.jobId} belongs to ${job.employerName} (${job.employerId}) in ${atsName}. Update the destination.`,
    field: 'destinationId',
  };
}

/** Returns null if the candidate has the e-mail address. */
export const findCandidateRefusal = (
  candidates: readonly AtsCandidate[],
  candidateId: string,
  atsName: string,
): PushRefusal | null =>
  candidates.some(({ id }) => id === candidateId)
    ? null
    : {
        reason: `${atsName} has no candidate ${candidateId} with the e-mail address of the interview. Choose another one.`,
        field: 'candidateId',
      };

/** Returns the candidate with the e-mail address, if there is exactly one. */
export function findOnlyCandidate(candidates: readonly AtsCandidate[], atsName: string): AtsCandidate | PushRefusal {
  const [candidate, ...others] = candidates;
  if (!candidate) return { reason: `${atsName} has no candidate with this e-mail address.`, field: 'candidateEmail' };
  if (others.length === 0) return candidate;
  return {
    reason: `${atsName} has ${candidates.length} candidates with this e-mail address. Send the interview on its own to choose one.`,
    field: 'candidateId',
  };
}
