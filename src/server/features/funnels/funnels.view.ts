import type { Funnel } from '#contracts/funnels.ts';
import { hasRole, type Role } from '#contracts/rules/roles.ts';
import type { ApiKeyVault } from './api-key-vault.ts';
import type { FunnelRow } from './funnels.repo.ts';

/** Hides the API key from reviewers. */
export const viewFunnelFor = (role: Role, funnel: Funnel): Funnel =>
  hasRole(role, 'recruiter') ? funnel : { ...funnel, apiKey: '' };

export const viewFunnel = (row: FunnelRow, vault: ApiKeyVault): Funnel => ({
  id: row.id,
  name: row.name,
  clientName: row.client_name,
  description: row.description,
  apiKey: vault.openOrEmpty(row.api_key_encrypted, row.external_id),
  funnelId: row.external_id,
  directLink: row.direct_link,
  skills: row.skills,
  professionalExpectations: row.professional_expectations,
  skillExpectations: row.skill_expectations,
  educationExpectations: row.education_expectations,
  cultureExpectations: row.culture_expectations,
  isActive: row.is_active,
  processAutomatically: row.process_automatically,
  source: row.source,
  refreshMinutes: row.refresh_minutes,
  newInterviews: row.new_interviews as Funnel['newInterviews'],
  dailyLimit: row.daily_limit,
  createdAt: row.created_at.toISOString(),
  interviewCount: row.interview_count,
});
