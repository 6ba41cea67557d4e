import { type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Funnel, FunnelForm } from '#contracts/funnels.ts';
import { useCreateFunnel, useUpdateFunnel } from '#web/features/funnels/funnel-actions.ts';
import {
  draftOf,
  errorsOf,
  type FieldErrors,
  type FieldName,
  FORM_TABS,
  firstError,
} from '#web/features/funnels/funnel-fields.ts';
import { FunnelFormTabs } from '#web/features/funnels/funnel-form-tabs.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useUnsavedChanges } from '#web/ui/use-unsaved-changes.tsx';

interface Props {
  /** The funnel to edit, or null for a new one. */
  funnel: Funnel | null;
  onClose: () => void;
}

/** Creates a funnel or edits one. */
export function FunnelDialog({ funnel, onClose }: Props) {
  const formId = useId();
  const [initial] = useState(() => draftOf(funnel));
  const [draft, setDraft] = useState(initial);
  const [tab, setTab] = useState(FORM_TABS[0]?.value ?? '');
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveFunnel(funnel, onClose);

  // Errors wait for the first attempt to save; from then on they follow every key.
  const errors: FieldErrors = checked ? errorsOf(draft) : {};
  const dirty = (Object.keys(initial) as FieldName[]).some((name) => draft[name] !== initial[name]);
  const { leave, question } = useUnsavedChanges(dirty);
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
      <form id={formId} ref={form} onSubmit={submit} noValidate autoComplete="off">
        <FunnelFormTabs
          tab={tab}
          onTab={setTab}
          draft={draft}
          errors={errors}
          onField={(name, value) => setDraft((before) => ({ ...before, [name]: value }))}
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
