import { Upload } from 'lucide-react';
import type { Funnel } from '#contracts/funnels.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';

const UploadDialog = lazyPart(() => import('./upload-dialog.tsx').then((m) => m.UploadDialog));

interface Props {
  funnel: Funnel;
  size?: 'sm' | 'md';
  /** The id of the element that names the funnel. */
  describedBy?: string;
}

/** Opens the upload of recordings to a funnel. */
export function UploadButton({ funnel, size = 'md', describedBy }: Props) {
  const { dialog, id, open, close } = useDialog(['upload']);
  return (
    <>
      <Button
        size={size}
        aria-describedby={describedBy}
        onPointerEnter={UploadDialog.preload}
        onClick={() => open('upload', funnel.id)}
      >
        <Upload aria-hidden />
        Upload recordings
      </Button>
      {dialog && id === String(funnel.id) && <UploadDialog funnel={funnel} onClose={close} />}
    </>
  );
}
