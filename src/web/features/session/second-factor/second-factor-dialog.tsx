import { useState } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { toast } from '#web/lib/toast.ts';
import { useReload } from '#web/lib/use-reload.ts';
import { ConfirmAppDialog } from './confirm-app-dialog.tsx';
import { FactorOverview } from './factor-overview.tsx';
import { ProofDialog, type Purpose } from './proof-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

type Stage =
  | { name: 'overview' }
  | { name: 'proof'; purpose: Purpose }
  | { name: 'app'; shared: SharedSecret }
  | { name: 'codes'; codes: string[]; isNewApp: boolean };

/** Shows the account's second factor and the steps of each change, one dialog at a time. */
export function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const [stage, setStage] = useState<Stage>({ name: 'overview' });
  const reloadFactor = useReload('/api/user/second-factor');
  const showCodes = (codes: string[], isNewApp: boolean) => {
    reloadFactor();
    setStage({ name: 'codes', codes, isNewApp });
  };
  const proofDialog = (purpose: Purpose, onBack: () => void) => (
    <ProofDialog
      purpose={purpose}
      onShared={(shared) => setStage({ name: 'app', shared })}
      onCodes={(codes) => showCodes(codes, false)}
      onOff={() => {
        reloadFactor();
        toast({ title: 'Success', description: "Two-factor sign-in is off. You're signed out on other devices." });
        onClose();
      }}
      onBack={onBack}
      onClose={onClose}
    />
  );

  switch (stage.name) {
    case 'overview':
      return (
        <FactorOverview
          whenOff={proofDialog('set-up', onClose)}
          onChoose={(purpose) => setStage({ name: 'proof', purpose })}
          onClose={onClose}
        />
      );
    case 'proof':
      return proofDialog(stage.purpose, () => setStage({ name: 'overview' }));
    case 'app':
      return <ConfirmAppDialog shared={stage.shared} onCodes={(codes) => showCodes(codes, true)} onClose={onClose} />;
    case 'codes':
      return <RecoveryCodesDialog codes={stage.codes} isNewApp={stage.isNewApp} onClose={onClose} />;
  }
}
