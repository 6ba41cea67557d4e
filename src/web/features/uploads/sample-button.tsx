import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import type { Funnel } from '#contracts/funnels.ts';
import { UNUSED_FIELD } from '#contracts/sources.ts';
import { useReloadFunnels } from '#web/features/funnels/activate-funnel.ts';
import { useSession } from '#web/features/session/session.ts';
import { call } from '#web/lib/call.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { openDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';

const NAME = 'Sample';

/** Uploads a sample recording, so that newcomers have an interview to try everything with. */
export function SampleButton({ funnels }: { funnels: readonly Funnel[] }) {
  const { user } = useSession({ ask: false });
  const reload = useReloadFunnels();
  const add = useMutation({
    mutationFn: async () => {
      const funnelId = await findOrCreate(funnels);
      if (funnelId === null) return null;
      // Loaded on demand: few users need it, once.
      const { queueSample } = await import('./sample-recording.ts');
      await queueSample(user?.id ?? 0, funnelId);
      await call('POST /api/funnels/:id/activate', { params: { id: funnelId } });
      return funnelId;
    },
    onSuccess: (funnelId) => {
      reload();
      if (funnelId !== null) openDialog({ name: 'upload', id: funnelId });
    },
    onError: toastFailure("Couldn't add the sample"),
  });
  return (
    <Button pending={add.isPending} onClick={() => add.mutate()}>
      {!add.isPending && <Play aria-hidden />}
      Try with a sample recording
    </Button>
  );
}

/** Returns the id of the sample's funnel. Null when the session has expired. */
async function findOrCreate(funnels: readonly Funnel[]): Promise<number | null> {
  const known = funnels.find(({ name, source }) => name === NAME && source === 'upload');
  if (known) return known.id;
  const body = { name: NAME, source: 'upload' as const, apiKey: UNUSED_FIELD, funnelId: UNUSED_FIELD };
  return (await call('POST /api/funnels', { body }))?.id ?? null;
}
