import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { shortTitle } from '#server/events/log-texts.ts';

export const sentEntry = ({ interviewId, title, ats, isUpdate }: EventData<'ats.sent'>): NewLogEntry => ({
  action: 'send-to-ats',
  summary: isUpdate
    ? `The note about "${shortTitle(title)}" in ${ats} was updated.`
    : `Interview "${shortTitle(title)}" was sent to ${ats}.`,
  metadata: { interviewId },
});

export const failedEntry = ({ interviewId, title, ats, reason, isUnclear }: EventData<'ats.failed'>): NewLogEntry => ({
  action: 'send-to-ats',
  status: 'error',
  summary: isUnclear
    ? `It is unclear whether ${ats} has the note about "${shortTitle(title)}".`
    : `Interview "${shortTitle(title)}" was not sent to ${ats}.`,
  details: { error: reason },
  metadata: { interviewId },
});

/** Contains nothing that identifies the erased candidate. */
export const removalRefusedEntry = ({ ats, reason }: EventData<'ats-removal.refused'>): NewLogEntry => ({
  action: 'remove-ats-note',
  status: 'error',
  summary: `The note about an erased candidate could not be removed from ${ats}. Delete it there.`,
  details: { error: reason },
});
