import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { OptionalServices } from './optional-services.tsx';

/** Lists the connected services of this server. Also available after the first run. */
export function SetupDialog({ onClose }: { onClose: () => void }) {
  const { data: setup } = useQuery({ ...endpointQuery('/api/setup'), staleTime: 0 });
  return (
    <Dialog
      onClose={onClose}
      title="Setup"
      description="The services that this server can use."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {setup ? <OptionalServices setup={setup} /> : <Loading>Loading...</Loading>}
    </Dialog>
  );
}
