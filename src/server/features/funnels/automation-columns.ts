import type { FunnelForm } from '#contracts/funnels.ts';
import { currentActor } from '#server/request-context.ts';
import type { FunnelRow, NewFunnel } from './funnels.repo.ts';

/**
 * Returns the columns that a form changes, with the account that changes them. Fields that are not
 * in the form keep their value.
 */
export function automationColumns(form: FunnelForm, before: FunnelRow | null): Partial<NewFunnel> {
  const next = {
    refresh_minutes: form.refreshMinutes === undefined ? (before?.refresh_minutes ?? null) : form.refreshMinutes,
    new_interviews: form.newInterviews ?? before?.new_interviews ?? 'nothing',
    daily_limit: form.dailyLimit === undefined ? (before?.daily_limit ?? null) : form.dailyLimit,
  };
  const isSame =
    next.refresh_minutes === (before?.refresh_minutes ?? null) &&
    next.new_interviews === (before?.new_interviews ?? 'nothing') &&
    next.daily_limit === (before?.daily_limit ?? null);
  if (isSame) return {};
  const { accountId, name } = currentActor();
  return { ...next, automated_by_id: accountId, automated_by: name };
}
