import { isDeepStrictEqual } from 'node:util';
import type { FunnelForm } from '#contracts/funnels.ts';
import { currentActor } from '#server/request-context.ts';
import type { FunnelRow, NewFunnel } from './funnels.repo.ts';

const OFF = { refresh_minutes: null, new_interviews: 'nothing', daily_limit: null };

/**
 * Returns the columns that a form changes, with the account that changes them. Fields that are not
 * in the form keep their value.
 */
export function automationColumns(form: FunnelForm, before: FunnelRow | null): Partial<NewFunnel> {
  const { refresh_minutes, new_interviews, daily_limit } = before ?? OFF;
  const next = {
    refresh_minutes: form.refreshMinutes === undefined ? refresh_minutes : form.refreshMinutes,
    new_interviews: form.newInterviews ?? new_interviews,
    daily_limit: form.dailyLimit === undefined ? daily_limit : form.dailyLimit,
  };
  if (isDeepStrictEqual(next, { refresh_minutes, new_interviews, daily_limit })) return {};
  const { accountId, name } = currentActor();
  return { ...next, automated_by_id: accountId, automated_by: name };
}
