import { useState } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { ConfirmAppDialog } from '#web/features/session/second-factor/confirm-app-dialog.tsx';
import { FactorOverview } from '#web/features/session/second-factor/factor-overview.tsx';
import { ProofDialog } from '#web/features/session/second-factor/proof-dialog.tsx';
import type { Purpose } from '#web/features/session/second-factor/purposes.ts';
import { RecoveryCodesDialog } from '#web/features/session/second-factor/recovery-codes-dialog.tsx';
import { useForgetFactor } from '#web/features/session/second-factor/second-factor-query.ts';
import { toast } from '#web/lib/toast.tsx';

type Stage =
  | { is: 'overview' }
  | { is: 'proof'; purpose: Purpose }
  | { is: 'app'; shared: SharedSecret }
  | { is: 'codes'; codes: string[]; areOfNewApp: boolean };

/** The signed-in account's second factor: how it stands, and each way to change it, one dialog after the other. */
export function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const [stage, setStage] = useState<Stage>({ is: 'overview' });
  const forget = useForgetFactor();
  const showCodes = (codes: string[], areOfNewApp: boolean) => {
    forget();
    setStage({ is: 'codes', codes, areOfNewApp });
  };
  const prove = (purpose: Purpose, onBack: () => void) => (
    <ProofDialog
      purpose={purpose}
      onShared={(shared) => setStage({ is: 'app', shared })}
      onCodes={(codes) => showCodes(codes, false)}
      onOff={() => {
        forget();
        toast({ title: 'Success', description: 'Two-factor sign-in is off. Your other browsers are signed out.' });
        onClose();
      }}
      onBack={onBack}
      onClose={onClose}
    />
  );

  switch (stage.is) {
    case 'overview':
      return (
        <FactorOverview
          whenOff={prove('set-up', onClose)}
          onChoose={(purpose) => setStage({ is: 'proof', purpose })}
          onClose={onClose}
        />
      );
    case 'proof':
      return prove(stage.purpose, () => setStage({ is: 'overview' }));
    case 'app':
      return <ConfirmAppDialog shared={stage.shared} onCodes={(codes) => showCodes(codes, true)} onClose={onClose} />;
    case 'codes':
      return <RecoveryCodesDialog codes={stage.codes} areOfNewApp={stage.areOfNewApp} onClose={onClose} />;
  }
}
