import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { Funnel } from '#contracts/funnels.ts';
import { Criterion, Scorecard } from '#contracts/reviews.ts';
import { areSameCriteria, defaultCriteria } from '#contracts/rules/default-criteria.ts';
import { useDraft } from '#web/features/drafts/use-draft.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import type { FunnelDraft } from './funnel-fields.ts';

export const CRITERION_LABELS = {
  label: 'Label',
  low: 'What 1 means',
  middle: 'What 3 means',
  high: 'What 5 means',
} as const;
export type CriterionField = keyof typeof CRITERION_LABELS;

/** The name of a field in the form, and of its error. */
export const nameOfField = (index: number, field: CriterionField) => `criteria[${index}].${field}`;

export type ScorecardForm = ReturnType<typeof useScorecardForm>;

interface ScorecardInput {
  /** The funnel to edit, or null for a new one. */
  funnel: Funnel | null;
  /** Default criteria follow its expectations. */
  draft: FunnelDraft;
  showsErrors: boolean;
}

/** The criteria of a funnel, as a draft that is empty while they follow the expectations. */
export function useScorecardForm({ funnel, draft, showsErrors }: ScorecardInput) {
  const params = { id: funnel?.id ?? 0 };
  const query = endpointQuery('/api/funnels/:id/scorecard', { params });
  const { data, error } = useQuery({ ...query, enabled: funnel !== null });
  const stored = funnel && data && !areSameCriteria(data.criteria, defaultCriteria(funnel)) ? data.criteria : null;
  const storedText = stored ? JSON.stringify(stored) : '';
  const draftKey = useDraftKey(`scorecard ${params.id}`);
  const { draft: text, setDraft, theirs, ...rest } = useDraft(draftKey, { text: storedText, version: storedText });
  const [rejection, setRejection] = useState<Rejection | null>(null);
  const save = useAction('PUT /api/funnels/:id/scorecard', {
    onError: ({ message, field }) => {
      if (field?.startsWith('criteria')) setRejection({ field, message });
      else toastFailure('Failed to save the scorecard')({ message });
    },
  });
  const criteria = text === '' ? defaultCriteria(draft) : readCriteria(text);
  const rejected = rejection ? rejectedIn(criteria, rejection) : {};
  return {
    ...rest,
    theirs: data ? theirs : null,
    isNew: funnel === null,
    isLoading: funnel !== null && !data && !error,
    loadError: error?.message ?? null,
    criteria,
    isDefault: text === '',
    /** Reported by the server about no field of the form. */
    rejection: rejection && Object.keys(rejected).length === 0 ? rejection.message : null,
    /** Key: field name. */
    errors: { ...(showsErrors && text !== '' && errorsIn(criteria)), ...rejected },
    /** The tab and the name of the first invalid field. */
    firstError: () => {
      const field = text === '' ? undefined : Object.keys(errorsIn(criteria))[0];
      return field ? { tab: 'expectations', field } : null;
    },
    change: (next: readonly Criterion[]) => {
      setRejection(null);
      setDraft(JSON.stringify(next));
    },
    followExpectations: () => {
      setRejection(null);
      setDraft('');
    },
    isSaving: save.isPending,
    save: (onSaved: () => void) => save.mutate({ params, body: { criteria } }, { onSuccess: onSaved }),
  };
}

/** An error of the server. */
interface Rejection {
  field: string;
  message: string;
}

/** The error by its field of the form. Empty if the form does not have the field. */
function rejectedIn(criteria: readonly Criterion[], { field, message }: Rejection): Record<string, string> {
  for (const index of criteria.keys())
    for (const part of ['label', 'low', 'middle', 'high'] as const)
      if (nameOfField(index, part) === field) return { [field]: message.replace(field, CRITERION_LABELS[part]) };
  return {};
}

/** Without checks of their texts: a draft may be invalid. */
const DraftCriteria = z.array(z.record(z.enum(['key', 'label', 'low', 'middle', 'high']), z.string()));

function readCriteria(text: string): Criterion[] {
  return DraftCriteria.parse(JSON.parse(text));
}

function errorsIn(criteria: readonly Criterion[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of Scorecard.safeParse({ criteria }).error?.issues ?? []) {
    const [, index, name] = path;
    const field = Object.keys(Criterion.shape).find((known): known is CriterionField => known === name);
    if (typeof index === 'number' && field)
      errors[nameOfField(index, field)] ??= `${CRITERION_LABELS[field]} ${message}`;
  }
  return errors;
}
