import type { Selectable } from 'kysely';
import type { Funnel, FunnelForm } from '#contracts/funnels.ts';
import type { DB } from '../../db/tables.ts';
import type { ApiKeyVault } from './api-key.ts';

export type FunnelRow = Selectable<DB['funnel']> & { interview_count: number };

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
  createdAt: row.created_at.toISOString(),
  interviewCount: row.interview_count,
});

/** The form's fields as columns. */
export const funnelColumns = (form: FunnelForm, vault: ApiKeyVault) => ({
  name: form.name,
  client_name: form.clientName,
  description: form.description,
  api_key_encrypted: vault.seal(form.apiKey, form.funnelId),
  external_id: form.funnelId,
  direct_link: form.directLink,
  skills: form.skills,
  professional_expectations: form.professionalExpectations,
  skill_expectations: form.skillExpectations,
  education_expectations: form.educationExpectations,
  culture_expectations: form.cultureExpectations,
});
