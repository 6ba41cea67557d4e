import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

/** Log actions, each with the end of its sentence. */
const CHANGES = {
  'create-funnel': 'was created',
  'update-funnel': 'was changed',
  'activate-funnel': 'was set as active',
} as const;
export type FunnelChange = keyof typeof CHANGES;

export const revealedKeyEntry = ({ id, name }: { id: number; name: string }): NewLogEntry => ({
  type: 'system',
  action: 'reveal-api-key',
  status: 'info',
  summary: `The API key of funnel "${name}" was revealed.`,
  metadata: { funnelId: id, name },
});

export const funnelEntry = (action: FunnelChange, { id, name }: { id: number; name: string }): NewLogEntry => ({
  type: 'system',
  action,
  status: 'success',
  summary: `Funnel "${name}" ${CHANGES[action]}.`,
  metadata: { funnelId: id, name },
});

/** The data that is deleted with a funnel. Published videos are removed after it. */
export interface DeletionCounts {
  interviews: number;
  publishedVideos: number;
}

export function deletionEntry({ id, name }: { id: number; name: string }, counts: DeletionCounts): NewLogEntry {
  const { publishedVideos: videos } = counts;
  const removal = videos > 0 ? ` ${videos} published ${videos === 1 ? 'video is' : 'videos are'} being removed.` : '';
  return {
    type: 'system',
    action: 'delete-funnel',
    status: 'success',
    summary: `Funnel "${name}" and its interviews were deleted.${removal}`,
    details: counts,
    metadata: { funnelId: id, name },
  };
}

/** `counts` has what was restored and what was left out. */
export const restoredFunnelEntry = (
  { id, name }: { id: number; name: string },
  { interviews, ...counts }: Record<string, unknown> & { interviews: number },
): NewLogEntry => ({
  type: 'system',
  action: 'restore-funnel',
  status: 'success',
  summary: `Funnel "${name}" was restored from a backup with ${interviews} ${interviews === 1 ? 'interview' : 'interviews'}.`,
  details: { interviews, ...counts },
  metadata: { funnelId: id, name },
});
