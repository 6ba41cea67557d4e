import { useQuery } from '@tanstack/react-query';
import { KeySquare, ShieldCheck, ShieldOff, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SecondFactor } from '#contracts/second-factor.ts';
import type { Purpose } from '#web/features/session/second-factor/purposes.ts';
import { secondFactorQuery } from '#web/features/session/second-factor/second-factor-query.ts';
import { formatCount, formatDate } from '#web/lib/format.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Loading } from '#web/ui/loading.tsx';

/** From so few on, making new ones is due. */
const FEW_CODES = 3;

interface Props {
  /** What to show in its place while there is no second factor. */
  whenOff: ReactNode;
  onChoose: (purpose: Purpose) => void;
  onClose: () => void;
}

/** How the second factor stands, and what can be done with it. */
export function FactorOverview({ whenOff, onChoose, onClose }: Props) {
  const factor = useQuery(secondFactorQuery);
  if (factor.data && factor.data.confirmedAt === null) return whenOff;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Two-factor sign-in"
      description="You sign in with your password and a code of your authenticator app."
      size="sm"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {factor.isPending && <Loading>Loading...</Loading>}
      {factor.isError && (
        <Alert
          tone="danger"
          title="It could not be loaded"
          actions={
            <Button size="sm" onClick={() => factor.refetch()}>
              Retry
            </Button>
          }
        >
          {factor.error.message}
        </Alert>
      )}
      {factor.data && <Standing factor={factor.data} onChoose={onChoose} />}
    </Dialog>
  );
}

function Standing({ factor, onChoose }: { factor: SecondFactor; onChoose: Props['onChoose'] }) {
  const { confirmedAt, recoveryCodesLeft, required } = factor;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone="success">
          <ShieldCheck aria-hidden />
          On since {formatDate(confirmedAt ?? '')}
        </Badge>
        <Badge tone={recoveryCodesLeft <= FEW_CODES ? 'warning' : 'neutral'}>
          {formatCount(recoveryCodesLeft, 'recovery code')} left
        </Badge>
      </div>
      <ul className="mt-4 divide-y divide-line rounded-lg border border-line">
        <Choice icon={<KeySquare aria-hidden />} label="New recovery codes" onChoose={() => onChoose('renew')}>
          For days without your phone.
        </Choice>
        <Choice icon={<Smartphone aria-hidden />} label="Use another app" onChoose={() => onChoose('move')}>
          When you change your phone.
        </Choice>
        {!required && (
          <Choice icon={<ShieldOff aria-hidden />} label="Turn off" onChoose={() => onChoose('off')}>
            Your password alone will sign you in.
          </Choice>
        )}
      </ul>
      {required && <p className="mt-3 text-sm text-faint">Everybody here signs in with a second factor.</p>}
    </>
  );
}

interface ChoiceProps {
  icon: ReactNode;
  label: string;
  children: string;
  onChoose: () => void;
}

const Choice = ({ icon, label, children, onChoose }: ChoiceProps) => (
  <li>
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full items-start gap-3 px-4 py-3 text-left -outline-offset-2 hover:bg-hover [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      <span>
        <span className="block font-medium">{label}</span>
        <span className="block text-sm text-muted">{children}</span>
      </span>
    </button>
  </li>
);
