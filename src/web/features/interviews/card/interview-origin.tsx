import { Building2, Filter } from 'lucide-react';
import type { ReactNode } from 'react';

interface Props {
  clientName: string | null;
  /** Null while the funnels are still on their way. */
  funnelName: string | null;
}

/** Whose interview it is: the client, and the funnel it came through. */
export const InterviewOrigin = ({ clientName, funnelName }: Props) => (
  <>
    {clientName && <Origin icon={<Building2 aria-hidden />}>{clientName}</Origin>}
    {funnelName !== null && <Origin icon={<Filter aria-hidden />}>{funnelName}</Origin>}
  </>
);

const Origin = ({ icon, children }: { icon: ReactNode; children: string }) => (
  <span
    title={children}
    className="inline-flex h-5.5 max-w-full min-w-0 normal-nums items-center gap-1 text-xs text-muted [&>svg]:size-3 [&>svg]:shrink-0 [&>svg]:text-faint"
  >
    {icon}
    <span className="truncate">{children}</span>
  </span>
);
