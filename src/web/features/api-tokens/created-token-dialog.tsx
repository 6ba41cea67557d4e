import { Copy } from 'lucide-react';
import { useRef } from 'react';
import type { CreatedApiToken } from '#contracts/api-tokens.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { formatDate } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

interface Props {
  created: CreatedApiToken;
  onClose: () => void;
}

/** Shows a new token once, so the dialog is not part of the URL. */
export function CreatedTokenDialog({ created: { name, token, expiresAt }, onClose }: Props) {
  const copy = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      guardsBack
      title={`Token for ${name}`}
      description="Copy it now: you won't see it again. Keep it secret, like a password."
      startAt={() => copy.current}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button ref={copy} variant="primary" onClick={() => copyWithToast(token, 'Token copied')}>
            <Copy aria-hidden />
            Copy token
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Token" hint={`Works until ${formatDate(expiresAt)}.`}>
          {(control) => (
            <Input
              {...control}
              readOnly
              value={token}
              className="font-mono"
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
          )}
        </Field>
        <div className="flex flex-col gap-1.5">
          <p className="text-sm font-medium">Try it</p>
          <pre className="rounded-md bg-sunken px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap">
            {`curl -H 'Authorization: Bearer ${token}' ${location.origin}/api/user`}
          </pre>
        </div>
      </div>
    </Dialog>
  );
}
