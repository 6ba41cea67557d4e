import type { Automation } from '#contracts/automation.ts';
import type { ListedAutomation } from './automation.repo.ts';

export const viewAutomation = (row: ListedAutomation): Automation => ({
  funnelId: row.funnel_id,
  lastRefreshAt: row.last_refresh_at?.toISOString() ?? null,
  hasWebhook: row.hasWebhook,
  lastEventAt: row.last_event_at?.toISOString() ?? null,
  lastError: row.last_error,
  pausedReason: row.paused_reason,
  awaitingInterviews: row.awaiting,
});
