import { Upload } from 'lucide-react';
import type { Funnel } from '#contracts/funnels.ts';
import { useSession } from '#web/features/session/session.ts';
import { useMay } from '#web/lib/may.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { useShownProgress } from './shown-progress.ts';

const UploadDialog = lazyPart(() => import('./upload-dialog.tsx').then((m) => m.UploadDialog));

interface Props {
  funnel: Funnel;
  size?: 'sm' | 'md';
  /** The id of the element that names the funnel. */
  describedBy?: string;
  className?: string;
}

/** Opens the upload of recordings to a funnel. Only for users who may upload. */
export function UploadButton(props: Props) {
  return useMay()('POST /api/uploads') && <OpenUpload {...props} />;
}

function OpenUpload({ funnel, size = 'md', describedBy, className }: Props) {
  const { open } = useDialog(['upload']);
  const { user } = useSession({ ask: false });
  const progress = useShownProgress(user?.id ?? 0, funnel.id);
  return (
    <Button
      size={size}
      data-command={`Upload recordings: ${funnel.name}`}
      className={className}
      aria-describedby={describedBy}
      onPointerEnter={UploadDialog.preload}
      onClick={() => open('upload', funnel.id)}
    >
      <Upload aria-hidden />
      {/* Shorter in the toolbar where it shares a row with the funnel's name. */}
      <span>
        Upload<span className={size === 'md' ? 'md:max-lg:sr-only' : undefined}> recordings</span>
      </span>
      {progress && <span className="text-muted tabular-nums">{progress}</span>}
    </Button>
  );
}

/** The dialog that the button opens. It stays open while the button makes room for another one. */
export function OpenedUpload({ funnel }: Pick<Props, 'funnel'>) {
  const { dialog, id, close } = useDialog(['upload']);
  return dialog && id === String(funnel.id) && <UploadDialog funnel={funnel} onClose={close} />;
}
