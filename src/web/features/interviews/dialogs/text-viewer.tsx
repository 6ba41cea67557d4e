import { Copy, Download, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { SummaryView } from '#web/features/interviews/dialogs/summary-view.tsx';
import type { TextKind } from '#web/features/interviews/dialogs/text-kinds.ts';
import type { LoadedText } from '#web/features/interviews/dialogs/use-text.ts';
import { copyText } from '#web/lib/copy-text.ts';
import { toast } from '#web/lib/toast.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface Props {
  title: string;
  description: string;
  size: 'lg';
  kind: TextKind;
  interview: Interview;
  /** Null while it is not here; then `children` say why. */
  loaded: LoadedText | null;
  children: ReactNode;
  onEdit: () => void;
  onClose: () => void;
}

export function TextViewer({ kind, interview, loaded, children, onEdit, onClose, ...head }: Props) {
  const text = loaded?.text ?? '';
  const copy = async () => {
    if (await copyText(text)) toast({ title: 'Copied' });
    else toast({ title: 'Error', description: 'The browser does not allow copying here.', variant: 'destructive' });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      {...head}
      readable
      footer={
        <>
          <div className="mr-auto flex gap-2">
            <Button variant="ghost" disabled={text === ''} onClick={copy}>
              <Copy aria-hidden />
              Copy
            </Button>
            {kind === 'transcript' && text !== '' && (
              <Button variant="ghost" asChild>
                <a
                  href={`/api/interviews/${encodeURIComponent(interview.id)}/transcript.txt`}
                  download={`${interview.title} - transcript.txt`}
                >
                  <Download aria-hidden />
                  Download
                </a>
              </Button>
            )}
          </div>
          <div className="flex gap-2">
            <Button onClick={onClose}>Close</Button>
            <Button variant="primary" disabled={!loaded} onClick={onEdit}>
              <Pencil aria-hidden />
              Edit
            </Button>
          </div>
        </>
      }
    >
      {children}
      {loaded && text === '' && <p className="py-8 text-center text-muted">There is no text yet.</p>}
      {loaded?.structure ? (
        <SummaryView structure={loaded.structure} />
      ) : (
        <p className="text-lg leading-relaxed break-words whitespace-pre-wrap">{text}</p>
      )}
    </Dialog>
  );
}
