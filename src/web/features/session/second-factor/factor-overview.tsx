import { useQuery } from '@tanstack/react-query';
import { KeySquare, ShieldCheck, ShieldOff, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SecondFactor } from '#contracts/second-factor.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount, formatDate } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import type { Purpose } from './proof-dialog.tsx';

/** This many recovery codes or fewer are shown as a warning. */
const FEW_CODES = 3;

/** Read each time it is shown: a recovery code may just have been used. */
export const secondFactorQuery = { ...endpointQuery('/api/user/second-factor'), staleTime: 0 };

interface Props {
  /** Shown instead while two-factor sign-in is off. */
  whenOff: ReactNode;
  onChoose: (purpose: Purpose) => void;
  onClose: () => void;
}

export function FactorOverview({ whenOff, onChoose, onClose }: Props) {
  const factor = useQuery(secondFactorQuery);
  if (factor.data && factor.data.confirmedAt === null) return whenOff;
  return (
    <Dialog
      onClose={onClose}
      title="Two-factor sign-in"
      description="You sign in with your password and an authenticator code."
      size="sm"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {factor.isPending && <Loading>Loading...</Loading>}
      {factor.isError && <LoadError title="Couldn't load your two-factor settings" query={factor} />}
      {factor.data && <FactorStatus factor={factor.data} onChoose={onChoose} />}
    </Dialog>
  );
}

function FactorStatus({ factor, onChoose }: { factor: SecondFactor; onChoose: Props['onChoose'] }) {
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
      <ul className="mt-4 divide-y divide-line rounded-lg border border-line forced-colors:space-y-1 forced-colors:divide-y-0 forced-colors:border-0">
        <Choice icon={<KeySquare aria-hidden />} label="New recovery codes" onChoose={() => onChoose('renew')}>
          For when you don't have your phone.
        </Choice>
        <Choice icon={<Smartphone aria-hidden />} label="Use another app" onChoose={() => onChoose('move')}>
          For when you get a new phone.
        </Choice>
        {!required && (
          <Choice icon={<ShieldOff aria-hidden />} label="Turn off" onChoose={() => onChoose('off')}>
            You'll sign in with your password only.
          </Choice>
        )}
      </ul>
      {required && <p className="mt-3 text-sm text-faint">Your team requires two-factor sign-in.</p>}
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
      className="flex w-full items-start gap-3 rounded-md px-4 py-3 text-left -outline-offset-2 hover:bg-hover [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      <span>
        <span className="block font-medium">{label}</span>
        <span className="block text-sm text-muted">{children}</span>
      </span>
    </button>
  </li>
);
