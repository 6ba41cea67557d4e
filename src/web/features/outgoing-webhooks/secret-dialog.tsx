import { Copy } from 'lucide-react';
import { useRef } from 'react';
import { copyWithToast } from '#web/lib/export-text.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

export interface ShownSecret {
  /** The webhook's name. */
  name: string;
  secret: string;
}

/** Shows a new secret once, so the dialog is not part of the URL. */
export function SecretDialog({ shown: { name, secret }, onClose }: { shown: ShownSecret; onClose: () => void }) {
  const copy = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      guardsBack
      title={`Secret for ${name}`}
      description="Copy it now: you won't see it again. The receiver uses it to verify events."
      startAt={() => copy.current}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button ref={copy} variant="primary" onClick={() => copyWithToast(secret, 'Secret copied')}>
            <Copy aria-hidden />
            Copy secret
          </Button>
        </>
      }
    >
      <Field label="Secret" hint="For any Standard Webhooks library. Slack and Teams don't need it.">
        {(control) => (
          <Input
            {...control}
            readOnly
            value={secret}
            className="font-mono"
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        )}
      </Field>
    </Dialog>
  );
}
