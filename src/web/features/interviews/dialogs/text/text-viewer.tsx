import { Copy, Download, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { SummaryView } from './summary-view.tsx';
import type { LoadedText, TextKind } from './use-text.ts';

interface Props {
  title: string;
  description: string;
  size: 'lg';
  kind: TextKind;
  interview: Interview;
  /** Null until it has loaded; until then, `children` are shown instead. */
  loaded: LoadedText | null;
  children: ReactNode;
  onEdit: () => void;
  onClose: () => void;
}

export function TextViewer({ kind, interview, loaded, children, onEdit, onClose, ...head }: Props) {
  const text = loaded?.text ?? '';
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      {...head}
      readable
      footer={
        <>
          <div className="mr-auto flex gap-2">
            <Button variant="ghost" disabled={text === ''} onClick={() => copyWithToast(text)}>
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
      {loaded && text === '' && <p className="py-8 text-center text-muted">Nothing here yet.</p>}
      {loaded?.structure ? (
        <SummaryView structure={loaded.structure} />
      ) : (
        <p className="text-lg leading-relaxed break-words whitespace-pre-wrap">{text}</p>
      )}
    </Dialog>
  );
}
