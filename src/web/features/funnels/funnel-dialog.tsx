import { type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Funnel, FunnelForm } from '#contracts/funnels.ts';
import { useCreateFunnel, useUpdateFunnel } from '#web/features/funnels/funnel-actions.ts';
import { errorsOf, type FieldErrors, FORM_TABS, firstError } from '#web/features/funnels/funnel-fields.ts';
import { FunnelFormTabs } from '#web/features/funnels/funnel-form-tabs.tsx';
import { useFunnelDraft } from '#web/features/funnels/use-funnel-draft.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { RestoredNote } from '#web/ui/restored-note.tsx';
import { useUnsavedChanges } from '#web/ui/use-unsaved-changes.tsx';

interface Props {
  /** The funnel to edit, or null for a new one. */
  funnel: Funnel | null;
  onClose: () => void;
}

/** Creates a funnel or edits one. */
export function FunnelDialog({ funnel, onClose }: Props) {
  const formId = useId();
  const { draft, change, changed, restored, theirs, forget } = useFunnelDraft(funnel);
  const [tab, setTab] = useState(FORM_TABS[0]?.value ?? '');
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveFunnel(funnel, () => {
    forget();
    onClose();
  });

  // Errors wait for the first attempt to save; from then on they follow every key.
  const errors: FieldErrors = checked ? errorsOf(draft) : {};
  const { leave, question } = useUnsavedChanges(changed, forget);
  const requestClose = () => save.isPending || leave(onClose);

  function submit(event: FormEvent) {
    event.preventDefault();
    const problem = firstError(errorsOf(draft));
    if (!problem) {
      save.mutate(FunnelForm.parse(draft));
      return;
    }
    // The tab has to be there before its field can take the focus.
    flushSync(() => {
      setChecked(true);
      setTab(problem.tab);
    });
    const field = form.current?.elements.namedItem(problem.field);
    if (field instanceof HTMLElement) field.focus();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || requestClose()}
      title={funnel ? 'Edit Funnel' : 'Add New Funnel'}
      description={funnel ? 'Update the settings of this funnel.' : 'Connect a funnel of the interview service.'}
      startAt={() => form.current?.querySelector('input')}
      footer={
        <>
          <Button onClick={requestClose} disabled={save.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" pending={save.isPending}>
            {funnel ? 'Save Changes' : 'Create Funnel'}
          </Button>
        </>
      }
    >
      {restored && !theirs && <RestoredNote />}
      {theirs && !save.isPending && (
        <Alert tone="danger" title="Somebody else has changed this funnel since you began" className="mb-4">
          Saving replaces their changes. To see them, copy what you wrote, and open the funnel again.
        </Alert>
      )}
      <form id={formId} ref={form} onSubmit={submit} noValidate autoComplete="off">
        <FunnelFormTabs
          tab={tab}
          onTab={setTab}
          draft={draft}
          errors={errors}
          onField={(name, value) => change({ [name]: value })}
        />
      </form>
      {question}
    </Dialog>
  );
}

/** One way to save, whether the funnel is new or not. */
function useSaveFunnel(funnel: Funnel | null, onDone: () => void) {
  const create = useCreateFunnel({ onDone });
  const update = useUpdateFunnel({ onDone });
  return {
    isPending: create.isPending || update.isPending,
    mutate: (body: FunnelForm) =>
      funnel ? update.mutate({ params: { id: funnel.id }, body }) : create.mutate({ body }),
  };
}
