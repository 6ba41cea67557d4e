import type { Routes } from '#contracts/api.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import { NewOutgoingWebhook, type OutgoingWebhook, WEBHOOK_FORMATS } from '#contracts/outgoing-webhooks.ts';
import { PUBLIC_EVENT_NAMES, type PublicEventName } from '#contracts/public-events.ts';
import { useEdited } from '#web/features/drafts/use-unsaved-changes.tsx';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Field, FieldError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useFieldErrors } from '#web/ui/forms/use-field-errors.ts';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { EVENT_LABELS, FORMAT_LABELS } from './event-labels.ts';
import { nameOf, useReloadWebhooks } from './webhook-actions.ts';

interface Props {
  /** The webhook to edit, or null to add one. */
  webhook: OutgoingWebhook | null;
  onClose: () => void;
  onAdded?: ((added: ResponseOf<Routes['POST /api/webhooks']>) => void) | undefined;
}

type FieldErrors = Partial<Record<string, string>>;

const isKnown = (type: string): type is PublicEventName => Object.hasOwn(EVENT_LABELS, type);

const draftOf = (webhook: OutgoingWebhook | null): NewOutgoingWebhook => ({
  url: webhook?.url ?? '',
  events: webhook?.events.filter(isKnown) ?? [],
  format: webhook?.format ?? 'json',
  includePersonalData: webhook?.includePersonalData ?? false,
});

export function WebhookDialog({ webhook, onClose, onAdded }: Props) {
  const { form, errors, showErrors, showRejection, clearErrors } = useFieldErrors<string>();
  const { draft, change, changed, leave, question } = useEdited(draftOf(webhook));
  const onRejected = showRejection(['url', 'events'], "Couldn't save the webhook");
  const { isPending, save } = useSave({ webhook, onClose, onAdded }, onRejected);

  function submit() {
    const { data, error } = NewOutgoingWebhook.safeParse(draft);
    if (data) save(data);
    else showErrors(errorsOf(error.issues));
  }

  return (
    <FormDialog
      ref={form}
      title={webhook ? `Edit ${nameOf(webhook)}` : 'Add webhook'}
      description="The URL gets a request for each event you choose."
      action={webhook ? 'Save Changes' : 'Add webhook'}
      pending={isPending}
      guardsBack={changed}
      onSubmit={submit}
      onClose={() => leave(onClose)}
      autoComplete="off"
      above={question}
    >
      <WebhookFields
        draft={draft}
        errors={errors}
        onChange={(part) => {
          change(part);
          clearErrors();
        }}
      />
    </FormDialog>
  );
}

/** The first problem of each field. */
const errorsOf = (issues: readonly { path: PropertyKey[] }[]): FieldErrors =>
  Object.fromEntries(issues.map(({ path: [field] }) => [field, MESSAGES[String(field)]]));
const MESSAGES: Record<string, string> = {
  url: 'Enter a URL, such as https://example.com/events',
  events: 'Choose at least one event',
};

function useSave({ webhook, onClose, onAdded }: Props, onError: (error: ApiError) => void) {
  const reload = useReloadWebhooks();
  const add = useAction('POST /api/webhooks', {
    onSuccess: (added) => {
      reload();
      onClose();
      onAdded?.(added);
    },
    onError,
  });
  const update = useAction('PUT /api/webhooks/:id', {
    onSuccess: (saved) => {
      reload();
      toast({ title: 'Webhook saved', description: `Changes apply to the next event for ${nameOf(saved)}.` });
      onClose();
    },
    onError,
  });
  return {
    isPending: add.isPending || update.isPending,
    save: (body: NewOutgoingWebhook) =>
      webhook
        ? update.mutate({ params: { id: webhook.id }, body: { ...body, isActive: webhook.isActive } })
        : add.mutate({ body }),
  };
}

interface FieldsProps {
  draft: NewOutgoingWebhook;
  errors: FieldErrors;
  onChange: (part: Partial<NewOutgoingWebhook>) => void;
}

function WebhookFields({ draft: { url, events, format, includePersonalData }, errors, onChange }: FieldsProps) {
  return (
    <div className="flex flex-col gap-5">
      <Field label="Address" error={errors.url} hint="Starts with https://" required>
        {(control) => (
          <Input
            {...control}
            name="url"
            type="url"
            value={url}
            spellCheck={false}
            onChange={({ target }) => onChange({ url: target.value })}
          />
        )}
      </Field>
      <div className="flex flex-col gap-1.5">
        <p aria-hidden className="text-sm font-medium">
          Format
        </p>
        <Select
          label="Format"
          value={format}
          options={WEBHOOK_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
          onChange={(value) => onChange({ format: value })}
        />
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 text-sm font-medium">Events</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {PUBLIC_EVENT_NAMES.map((name) => (
            <Checkbox
              key={name}
              name="events"
              label={EVENT_LABELS[name]}
              checked={events.includes(name)}
              onChange={({ target }) =>
                onChange({
                  events: PUBLIC_EVENT_NAMES.filter((one) => (one === name ? target.checked : events.includes(one))),
                })
              }
            />
          ))}
        </div>
        {errors.events && <FieldError id="webhook-events-error">{errors.events}</FieldError>}
      </fieldset>
      <div>
        <Checkbox
          label="Personal data"
          checked={includePersonalData}
          onChange={({ target }) => onChange({ includePersonalData: target.checked })}
        />
        <p className="mt-1 text-sm text-faint">
          Names, email addresses, titles and error messages are sent too. Otherwise, events only contain ids.
        </p>
      </div>
    </div>
  );
}
