import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { plural } from '#server/events/log-texts.ts';

/** The log action of each change, and the end of its sentence. */
const CHANGES = {
  created: ['create-funnel', 'was created'],
  updated: ['update-funnel', 'was changed'],
  activated: ['activate-funnel', 'was set as active'],
} as const;

const entry = (
  action: NewLogEntry['action'],
  { funnelId, name }: { funnelId: number; name: string },
  summary: string,
): NewLogEntry => ({ action, summary, metadata: { funnelId, name } });

export const revealedKeyEntry = (funnel: EventData<'api-key.revealed'>): NewLogEntry => ({
  ...entry('reveal-api-key', funnel, `The API key of funnel "${funnel.name}" was revealed.`),
  status: 'info',
});

export function funnelEntry({ change, ...funnel }: EventData<'funnel.changed'>): NewLogEntry {
  const [action, what] = CHANGES[change];
  return entry(action, funnel, `Funnel "${funnel.name}" ${what}.`);
}

export function deletionEntry({ interviews, publishedVideos, ...funnel }: EventData<'funnel.deleted'>): NewLogEntry {
  const are = publishedVideos === 1 ? 'video is' : 'videos are';
  const removal = publishedVideos > 0 ? ` ${publishedVideos} published ${are} being removed.` : '';
  return {
    ...entry('delete-funnel', funnel, `Funnel "${funnel.name}" and its interviews were deleted.${removal}`),
    details: { interviews, publishedVideos },
  };
}

export function restoredFunnelEntry({ funnelId, name, ...details }: EventData<'funnel.restored'>): NewLogEntry {
  const found = plural(details.interviews, 'interview');
  return {
    ...entry('restore-funnel', { funnelId, name }, `Funnel "${name}" was restored from a backup with ${found}.`),
    details,
  };
}
