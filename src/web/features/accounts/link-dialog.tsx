import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useRef } from 'react';
import type { Account, Invitation } from '#contracts/accounts.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

export interface ShownLink extends Invitation {
  account: Account;
}

/** Shows a new link once, so the dialog is not part of the URL. */
export function LinkDialog({ link: { account, link, expiresAt }, onClose }: { link: ShownLink; onClose: () => void }) {
  const copy = useRef<HTMLButtonElement>(null);
  const { username } = account;
  const { data: setup } = useQuery(endpointQuery('/api/setup'));
  return (
    <Dialog
      onClose={onClose}
      guardsBack
      title={`Link for ${username}`}
      description={`${describeDelivery(account, setup?.mail)} Anyone who has it can choose ${username}'s password.`}
      startAt={() => copy.current}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button ref={copy} variant="primary" onClick={() => copyWithToast(link, 'Link copied')}>
            <Copy aria-hidden />
            Copy link
          </Button>
        </>
      }
    >
      <Field
        label="Link"
        hint={`Works once, until ${formatDateTime(expiresAt)}. Choosing a password signs ${username} out everywhere else.`}
      >
        {(control) => (
          <Input {...control} readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
        )}
      </Field>
    </Dialog>
  );
}

/** Explains if the server mails the link, which requires a mail server and an address. */
function describeDelivery({ username, email }: Account, hasMail: boolean | undefined): string {
  if (email && hasMail) return `We're sending this link to ${email}. You can also copy it.`;
  if (email && hasMail === false) return `No mail server is set up. Send this link to ${email}.`;
  return `Send this link to ${email ?? username}.`;
}
