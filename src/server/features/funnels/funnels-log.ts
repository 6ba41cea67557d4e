import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

/** Log actions, each with the end of its sentence. */
const CHANGES = {
  'create-funnel': 'was created',
  'update-funnel': 'was changed',
  'activate-funnel': 'was set as active',
  'delete-funnel': 'and its interviews were deleted',
} as const;
export type FunnelChange = keyof typeof CHANGES;

export const funnelEntry = (action: FunnelChange, { id, name }: { id: number; name: string }): NewLogEntry => ({
  type: 'system',
  action,
  status: 'success',
  summary: `Funnel "${name}" ${CHANGES[action]}.`,
  metadata: { funnelId: id, name },
});
