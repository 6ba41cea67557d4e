import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Funnel, FunnelForm } from '#contracts/funnels.ts';
import { DEFAULT_SOURCE, type FunnelSource, SOURCES } from '#contracts/sources.ts';
import { RestoredNote } from '#web/features/drafts/restored-note.tsx';
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts';
import { useUnsavedChanges } from '#web/features/drafts/use-unsaved-changes.tsx';
import { useDraftKey } from '#web/features/session/session.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { focusField } from '#web/ui/forms/use-field-errors.ts';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { useCreateFunnel, useRevealApiKey, useUpdateFunnel } from './funnel-actions.ts';
import {
  draftOf,
  errorsOf,
  type FieldErrors,
  FORM_TABS,
  type FunnelDraft,
  firstError,
  formOf,
} from './funnel-fields.ts';
import { FunnelFormTabs } from './funnel-form-tabs.tsx';
import { type ScorecardForm, useScorecardForm } from './scorecard-form.ts';

interface Props {
  /** The funnel to edit, or null for a new one. */
  funnel: Funnel | null;
  /** The source that the form of a new funnel starts with, if the server offers it. */
  firstSource?: string | null;
  onClose: () => void;
}

export function FunnelDialog({ funnel, firstSource = null, onClose }: Props) {
  const { draft: written, change, ...form } = useFunnelDraft(funnel);
  const sources = useSources(funnel);
  const source = sources.find((known) => known === (written.source || firstSource)) ?? sources[0] ?? DEFAULT_SOURCE;
  const draft = { ...written, source };
  const recordReveal = useRevealApiKey(funnel?.id ?? 0);
  const [tab, setTab] = useState(FORM_TABS[0]?.value ?? '');
  const [showsErrors, setShowsErrors] = useState(false);
  const formElement = useRef<HTMLFormElement>(null);
  const scorecard = useScorecardForm({ funnel, draft, showsErrors });
  const { changed, restored, theirs, discard, forget } = joinDrafts(form, scorecard);
  const save = useSaveFunnel(funnel, scorecard, () => {
    forget();
    onClose();
  });

  // Errors appear at the first attempt to save and follow every key from then on.
  const errors: FieldErrors = showsErrors ? errorsOf(draft) : {};
  const { leave, question } = useUnsavedChanges(changed, forget);

  function submit() {
    const problem = firstError(errorsOf(draft)) ?? scorecard.firstError();
    if (!problem) {
      save.mutate(FunnelForm.parse(formOf(draft)));
      return;
    }
    // The tab must be rendered before its field can receive the focus.
    flushSync(() => {
      setShowsErrors(true);
      setTab(problem.tab);
    });
    focusField(formElement.current, problem.field);
  }

  return (
    <FormDialog
      ref={formElement}
      title={funnel ? 'Edit Funnel' : 'Add New Funnel'}
      description={descriptionOf(funnel, source)}
      action={funnel ? 'Save Changes' : 'Create Funnel'}
      pending={save.isPending}
      guardsBack={changed}
      onSubmit={submit}
      onClose={() => leave(onClose)}
      autoComplete="off"
      above={
        <>
          {restored && !theirs && <RestoredNote onDiscard={discard} />}
          {theirs && !save.isPending && (
            <Alert tone="danger" title="Someone else edited this funnel while you were writing" className="mb-4">
              Saving overwrites their changes. To review them first, copy your edits and reopen the funnel.
            </Alert>
          )}
          {question}
        </>
      }
    >
      <FunnelFormTabs
        funnel={funnel}
        tab={tab}
        onTab={setTab}
        draft={draft}
        source={source}
        sources={sources}
        errors={errors}
        scorecard={scorecard}
        onChange={change}
        onReveal={funnel?.apiKey === draft.apiKey ? recordReveal : undefined}
      />
    </FormDialog>
  );
}

function descriptionOf(funnel: Funnel | null, source: FunnelSource): string {
  const { isRefreshed } = SOURCES[source];
  if (funnel) return `Changes apply from the next ${isRefreshed ? 'refresh' : 'upload'}.`;
  return isRefreshed ? 'Connect a job from your interview service.' : 'Upload recordings for a job.';
}

/**
 * Returns the sources that the server offers, and the one that the funnel has. Without a connected
 * service, users can prepare a funnel of the default one.
 */
function useSources(funnel: Funnel | null): readonly FunnelSource[] {
  const { data: setup } = useQuery(endpointQuery('/api/setup'));
  const connected = setup?.sources ?? [];
  const offered = connected.some((source) => SOURCES[source].isRefreshed) ? connected : [DEFAULT_SOURCE, ...connected];
  return funnel && !offered.includes(funnel.source) ? [funnel.source, ...offered] : offered;
}

/** The scorecard follows: a default one is recognized by the saved expectations. */
function useSaveFunnel(funnel: Funnel | null, scorecard: ScorecardForm, onDone: () => void) {
  const create = useCreateFunnel(onDone);
  const update = useUpdateFunnel(() => (scorecard.changed ? scorecard.save(onDone) : onDone()));
  return {
    isPending: create.isPending || update.isPending || scorecard.isSaving,
    mutate: (body: FunnelForm) =>
      funnel ? update.mutate({ params: { id: funnel.id }, body }) : create.mutate({ body }),
  };
}

type Draft = Pick<ScorecardForm, 'changed' | 'restored' | 'theirs' | 'discard' | 'forget'>;

const joinDrafts = (one: Draft, other: Draft): Draft => ({
  changed: one.changed || other.changed,
  restored: one.restored || other.restored,
  theirs: one.theirs ?? other.theirs,
  discard: () => {
    one.discard();
    other.discard();
  },
  forget: () => {
    one.forget();
    other.forget();
  },
});

/**
 * The draft is kept in session storage until it is saved, except for the API key, which is secret.
 */
function useFunnelDraft(funnel: Funnel | null) {
  const { apiKey: storedKey, ...stored } = draftOf(funnel);
  const { form, change, changed, ...rest } = useFormDraft(useDraftKey(`funnel ${funnel?.id ?? 'new'}`), stored);
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
