import { Copy, Pencil } from 'lucide-react';
import { copyText } from '#web/lib/copy-text.ts';
import { toast } from '#web/lib/toast.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface Props {
  title: string;
  description: string;
  size: 'lg';
  text: string;
  onEdit: () => void;
  onClose: () => void;
}

export function TextViewer({ text, onEdit, onClose, ...head }: Props) {
  const copy = async () => {
    if (await copyText(text)) toast({ title: 'Copied' });
    else toast({ title: 'Error', description: 'The browser does not allow copying here.', variant: 'destructive' });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      {...head}
      footer={
        <>
          <Button variant="ghost" className="mr-auto" disabled={text === ''} onClick={copy}>
            <Copy aria-hidden />
            Copy
          </Button>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={onEdit}>
            <Pencil aria-hidden />
            Edit
          </Button>
        </>
      }
    >
      {text === '' ? (
        <p className="py-8 text-center text-muted">There is no text yet.</p>
      ) : (
        <p className="text-lg leading-relaxed break-words whitespace-pre-wrap">{text}</p>
      )}
    </Dialog>
  );
}
