import { CalendarPlus, Ellipsis, Link, LockOpen, Unlink } from 'lucide-react';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import type { NewLink, Share, ShareState } from '#contracts/shares.ts';
import { formatDate, formatDuration } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';
import { STATE_LABELS, useRenewShareLink, useUpdateShare } from './share-actions.ts';

interface Props {
  share: Share;
  onCreated: (link: NewLink) => void;
}

const TONES: Record<ShareState, 'neutral' | 'success' | 'warning' | 'danger' | 'info'> = {
  waiting: 'warning',
  opened: 'info',
  decided: 'success',
  expired: 'neutral',
  revoked: 'neutral',
  closed: 'danger',
};
const VERDICTS = {
  yes: { label: 'Interested', tone: 'success' },
  maybe: { label: 'Maybe', tone: 'warning' },
  no: { label: 'Not interested', tone: 'danger' },
} as const;

/** A link of one recipient: what they opened, watched and answered. */
export function ShareCard({ share, onCreated }: Props) {
  const { recipient, title, state, openedAt, expiresAt, createdBy } = share;
  return (
    <Card className="p-4">
      <article aria-label={`${recipient.name}: ${title}`}>
        <div className="flex items-start gap-3">
          <div className="min-w-0 grow">
            <h2 className="flex flex-wrap items-center gap-2 font-medium">
              <span className="break-words">{recipient.name}</span>
              <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>
            </h2>
            <p className="text-sm break-words text-muted">
              {title}
              {recipient.email && ` · ${recipient.email}`}
            </p>
            <p className="text-sm text-muted">
              {openedAt && `Opened ${formatDate(openedAt)} · `}Expires {formatDate(expiresAt)} · By {createdBy}
            </p>
          </div>
          <ShareMenu share={share} onCreated={onCreated} />
        </div>
        <ul className="mt-3 divide-y divide-line border-t border-line">
          {share.interviews.map((interview) => (
            <SharedInterview key={interview.interviewId} interview={interview} />
          ))}
        </ul>
      </article>
    </Card>
  );
}

function SharedInterview({ interview }: { interview: Share['interviews'][number] }) {
  const { title, candidateName, watched, verdict, verdictNote, comments } = interview;
  return (
    <li className="py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 grow break-words">{candidateName ?? title}</span>
        <span className="text-muted tabular-nums">{Math.round(watched * 100)}% watched</span>
        {verdict && <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</Badge>}
      </div>
      {verdictNote && <p className="mt-1 break-words">“{verdictNote}”</p>}
      {comments.map(({ atSeconds, body, createdAt }) => (
        <p key={createdAt} className="mt-1 break-words whitespace-pre-line text-muted">
          {formatDuration(Math.floor(atSeconds))} {body}
        </p>
      ))}
    </li>
  );
}

/** A new link of the others would not work either. */
const WORKING: readonly ShareState[] = ['waiting', 'opened', 'decided'];
const EXTENSION_DAYS = 14;
const DAY_MS = 24 * 60 * 60_000;

function ShareMenu({ share, onCreated }: Props) {
  const { id, recipient, state, expiresAt } = share;
  const update = useUpdateShare();
  const renew = useRenewShareLink((link) => onCreated({ id, recipient, link }));
  const change = (body: Parameters<typeof update.mutate>[0]['body']) => update.mutate({ params: { id }, body });
  const expiry = Date.parse(expiresAt);
  const later = Math.max(Date.now(), expiry) + EXTENSION_DAYS * DAY_MS;
  // A day less than the server allows, because its clock may differ.
  const latest = Date.now() + (SHARE_LIMITS.days - 1) * DAY_MS;
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for the link of ${recipient.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem
        icon={CalendarPlus}
        label="Extend by 14 days"
        disabled={expiry >= latest}
        onSelect={() => change({ expiresAt: new Date(Math.min(later, latest)).toISOString() })}
      />
      {WORKING.includes(state) && (
        <MenuItem icon={Link} label="New link" onSelect={() => renew.mutate({ params: { id } })} />
      )}
      {state === 'closed' && <MenuItem icon={LockOpen} label="Reopen" onSelect={() => change({ closed: false })} />}
      <MenuSeparator />
      {share.revokedAt === null ? (
        <MenuItem icon={Unlink} label="Revoke" destructive onSelect={() => change({ revoked: true })} />
      ) : (
        <MenuItem icon={LockOpen} label="Restore" onSelect={() => change({ revoked: false })} />
      )}
    </DropdownMenu>
  );
}
