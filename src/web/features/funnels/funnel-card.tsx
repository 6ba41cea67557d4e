import { Copy, ExternalLink, Pencil, Power, Trash2 } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import { SOURCES } from '#contracts/sources.ts';
import { OpenedUpload, UploadButton } from '#web/features/uploads/upload-button.tsx';
import { copyWithToast } from '#web/lib/export-text.ts';
import { formatCount } from '#web/lib/format.ts';
import { useMay } from '#web/lib/may.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { useActivateFunnel } from './activate-funnel.ts';
import { FunnelAutomation } from './funnel-automation.tsx';

export type OpenFunnelDialog = (dialog: 'create-funnel' | 'edit-funnel' | 'delete-funnel', id?: number) => void;

interface Props {
  funnel: Funnel;
  onOpen: OpenFunnelDialog;
}

export function FunnelCard({ funnel, onOpen }: Props) {
  const { hints, isRefreshed } = SOURCES[funnel.source];
  const heading = `funnel-${funnel.id}`;
  const edit = useRef<HTMLButtonElement>(null);
  const may = useMay();
  const mayEdit = may('PUT /api/funnels/:id');
  const { mutate } = useActivateFunnel();
  const activate = () => {
    // The clicked button disappears: keep the focus on the card.
    edit.current?.focus();
    mutate({ params: { id: funnel.id } });
  };
  return (
    <li className="flex min-w-0">
      <Card className="flex w-full min-w-0 flex-col p-5">
        <article aria-labelledby={heading} className="flex grow flex-col">
          <div className="flex items-start justify-between gap-3">
            <h2 id={heading} title={funnel.name} className="line-clamp-2 min-w-0 text-lg font-semibold break-words">
              {funnel.name}
            </h2>
            <StateBadge isActive={funnel.isActive} />
          </div>
          <p title={funnel.description ?? undefined} className="mt-1 line-clamp-2 break-words text-muted sm:min-h-11">
            {funnel.description || 'No description'}
          </p>
          <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 text-sm">
            <Fact name="Client">{funnel.clientName || 'N/A'}</Fact>
            {hints.funnelId !== null && (
              <Fact name="Funnel ID">
                <span className="font-mono text-xs">{funnel.funnelId}</span>
              </Fact>
            )}
            <Fact name="Interviews">
              {funnel.interviewCount > 0 ? formatCount(funnel.interviewCount, 'interview') : 'No interviews yet'}
            </Fact>
          </dl>
          {funnel.directLink && <DirectLink link={funnel.directLink} />}
          {!isRefreshed && may('POST /api/uploads') && (
            <div className="mt-4">
              <UploadButton funnel={funnel} size="sm" describedBy={heading} />
              <OpenedUpload funnel={funnel} />
            </div>
          )}
          {may('GET /api/automations') && <FunnelAutomation funnel={funnel} />}
          {mayEdit && (
            <div className="mt-auto flex flex-wrap items-center gap-1.5 pt-5">
              <Button ref={edit} size="sm" aria-describedby={heading} onClick={() => onOpen('edit-funnel', funnel.id)}>
                <Pencil aria-hidden />
                Edit
              </Button>
              {may('POST /api/funnels/:id/activate') && !funnel.isActive && (
                <Button size="sm" aria-describedby={heading} onClick={activate}>
                  <Power aria-hidden />
                  Set Active
                </Button>
              )}
              {may('DELETE /api/funnels/:id') && (
                <Button
                  size="sm"
                  variant="ghost"
                  aria-describedby={heading}
                  className="ml-auto text-danger-ink hover:bg-danger-soft hover:text-danger-ink"
                  onClick={() => onOpen('delete-funnel', funnel.id)}
                >
                  <Trash2 aria-hidden />
                  Delete
                </Button>
              )}
            </div>
          )}
        </article>
      </Card>
    </li>
  );
}

const StateBadge = ({ isActive }: { isActive: boolean }) => (
  <Badge tone={isActive ? 'success' : 'neutral'} className="mt-0.5 shrink-0">
    <span aria-hidden className="size-1.5 rounded-full bg-current forced-colors:hidden" />
    {isActive ? 'Active' : 'Inactive'}
  </Badge>
);

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  );
}

/** The page where candidates record, with a copy button. */
function DirectLink({ link }: { link: string }) {
  return (
    <div className="bordered mt-4 flex items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2.5">
      <a
        href={link}
        target="_blank"
        rel="noreferrer"
        className="flex min-w-0 grow items-center max-md:min-h-11 gap-1.5 rounded-sm text-sm text-muted hover:text-ink"
      >
        <ExternalLink aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{link}</span>
        <span className="sr-only">(opens in a new tab)</span>
      </a>
      <Button variant="ghost" size="icon-sm" aria-label="Copy link" onClick={() => copyWithToast(link, 'Link copied')}>
        <Copy aria-hidden className="size-3.5" />
      </Button>
    </div>
  );
}
