import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CHOSEN_KINDS, DELIVERIES, type NoticeSettings, noticeKindsOf } from '#contracts/notices.ts';
import type { User } from '#contracts/session.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { DELIVERY_LABELS, KIND_LABELS } from './notice-texts.ts';

const OPTIONS = DELIVERIES.map((value) => ({ value, label: DELIVERY_LABELS[value] }));

/** The user's delivery setting for each kind of notice. Each choice is saved immediately. */
export function NoticeSettingsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const settings = useQuery(endpointQuery('/api/user/notices'));
  return (
    <Dialog
      onClose={onClose}
      title="Notice settings"
      description="Choose when to get mail. Notices that are off aren't shown at all."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {settings.isPending && <Loading>Loading...</Loading>}
      {settings.isError && (
        <Alert tone="danger" title="Couldn't load your settings">
          {settings.error.message}
        </Alert>
      )}
      {settings.data && <Choices user={user} settings={settings.data} />}
      {/* Later, so that the first field that takes the focus is a choice. */}
      {!settings.isPending && user.role === 'administrator' && <TestMail />}
    </Dialog>
  );
}

function Choices({ user, settings }: { user: User; settings: NoticeSettings }) {
  const queryClient = useQueryClient();
  const { queryKey } = endpointQuery('/api/user/notices');
  // A later choice contains the earlier ones.
  const isLast = () => queryClient.isMutating({ mutationKey: ['PUT /api/user/notices'] }) === 1;
  const save = useAction('PUT /api/user/notices', {
    queue: 'notice settings',
    onStart: ({ body }) => {
      queryClient.setQueryData(queryKey, body);
      return () => {
        if (isLast()) queryClient.setQueryData(queryKey, settings);
      };
    },
    onError: async (error) => {
      toastFailure("Couldn't save")(error);
      if (isLast()) await queryClient.invalidateQueries({ queryKey });
    },
  });
  return (
    <ul className="space-y-3">
      {CHOSEN_KINDS.filter((kind) => noticeKindsOf(user.role).includes(kind)).map((kind) => (
        <li key={kind} className="flex flex-col gap-x-4 gap-y-1 sm:flex-row sm:items-center sm:justify-between">
          <span>{KIND_LABELS[kind]}</span>
          <Select
            label={KIND_LABELS[kind]}
            value={settings[kind]}
            options={OPTIONS}
            onChange={(value) => save.mutate({ body: { ...settings, [kind]: value } })}
            className="w-36"
          />
        </li>
      ))}
    </ul>
  );
}

/** Lets administrators check whether mail works. */
function TestMail() {
  const [to, setTo] = useState('');
  const send = useAction('POST /api/mail/test');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate({ body: { to } });
  };
  return (
    <form onSubmit={submit} className="mt-6 space-y-3 border-t border-line pt-5">
      <Field label="Send a test mail to">
        {(control) => (
          <Input type="email" required value={to} onChange={(event) => setTo(event.target.value)} {...control} />
        )}
      </Field>
      <Button type="submit" pending={send.isPending}>
        Send a test
      </Button>
      {send.data && <Alert title={send.data.message} />}
      {send.error && (
        <Alert tone="danger" title="No mail was sent">
          {send.error.message}
        </Alert>
      )}
    </form>
  );
}
