import { useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import { draftOf, type FunnelDraft } from '#web/features/funnels/funnel-fields.ts';
import { useDraftKey } from '#web/features/session/use-draft-key.ts';
import { useFormDraft } from '#web/lib/use-form-draft.ts';

/** What the form of a funnel holds, kept in the tab until it is saved; but for the API key, which is a secret. */
export function useFunnelDraft(funnel: Funnel | null) {
  const { apiKey: storedKey, ...stored } = draftOf(funnel);
  const { form, change, changed, ...rest } = useFormDraft(useDraftKey(`funnel ${funnel?.id ?? 'to be'}`), stored);
  const [typedKey, setTypedKey] = useState<string | null>(null);
  return {
    draft: { ...form, apiKey: typedKey ?? storedKey } satisfies FunnelDraft,
    change: ({ apiKey, ...part }: Partial<FunnelDraft>) => {
      if (apiKey === undefined) change(part);
      else setTypedKey(apiKey);
    },
    changed: changed || (typedKey ?? storedKey) !== storedKey,
    ...rest,
  };
}
