import { Copy } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { copyWithToast } from '#web/lib/export-text.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  /** The kind of value: `Token` or `Secret`. */
  label: string;
  /** The name of its token or webhook. */
  name: string;
  value: string;
  description: string;
  hint: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Shows a new secret once, so the dialog is not part of the URL. */
export function ShownOnceDialog({ label, name, value, description, hint, onClose, children }: Props) {
  const copy = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      onClose={onClose}
      guardsBack
      title={`${label} for ${name}`}
      description={`Copy it now: you won't see it again. ${description}`}
      startAt={() => copy.current}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button ref={copy} variant="primary" onClick={() => copyWithToast(value, `${label} copied`)}>
            <Copy aria-hidden />
            Copy {label.toLowerCase()}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={label} hint={hint}>
          {(control) => (
            <Input
              {...control}
              readOnly
              value={value}
              className="font-mono"
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
          )}
        </Field>
        {children}
      </div>
    </Dialog>
  );
}
