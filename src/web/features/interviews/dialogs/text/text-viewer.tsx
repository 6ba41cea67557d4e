import { Copy, Download, Ellipsis, Pencil, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { STEPS } from '#contracts/rules/steps.ts';
import { useSteps } from '#web/features/interviews/interview-steps.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/overlays/dropdown-menu.tsx';
import { SummaryView } from './summary-view.tsx';
import { type LoadedText, TEXT_KINDS, type TextKind } from './use-text.ts';

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
  const may = useMay();
  return (
    <Dialog
      onClose={onClose}
      {...head}
      readable
      footer={
        <>
          <div className="mr-auto flex items-center gap-2 max-[24rem]:gap-0">
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
            {may(`POST /api/interviews/:id/${TEXT_KINDS[kind].step}`) && (
              <Regenerate kind={kind} interview={interview} onStarted={onClose} />
            )}
          </div>
          <div className="flex gap-2">
            <Button onClick={onClose}>Close</Button>
            {may('PUT /api/interviews/:id/transcript') && (
              <Button variant="primary" disabled={!loaded} onClick={onEdit}>
                <Pencil aria-hidden />
                Edit
              </Button>
            )}
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

interface RegenerateProps {
  kind: TextKind;
  interview: Interview;
  onStarted: () => void;
}

/** A menu that generates the text again, after a confirmation. */
function Regenerate({ kind, interview, onStarted }: RegenerateProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { step, replaced } = TEXT_KINDS[kind];
  const { start } = useSteps(interview.id)[step];
  return (
    <>
      <DropdownMenu
        align="start"
        trigger={
          <Button variant="ghost" size="icon" aria-label="More actions">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem
          icon={RefreshCw}
          label="Regenerate"
          disabled={interview[STEPS[step].status] === 'in-progress'}
          onSelect={() => setIsAsking(true)}
        />
      </DropdownMenu>
      <AlertDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        guardsBack
        title={`Regenerate the ${kind}?`}
        description={replaced}
        confirm="Regenerate"
        onConfirm={() => {
          start();
          setIsAsking(false);
          onStarted();
        }}
      />
    </>
  );
}
