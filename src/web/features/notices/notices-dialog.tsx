import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AtSign, Bell, Clock, Eye, type LucideIcon, ThumbsUp, Webhook } from 'lucide-react';
import { Link } from 'wouter';
import type { Notice, NoticeKind } from '#contracts/notices.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { useMay } from '#web/lib/may.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { noticeText } from './notice-texts.ts';

const ICONS: Record<NoticeKind, LucideIcon> = {
  opened: Eye,
  verdict: ThumbsUp,
  mention: AtSign,
  expiring: Clock,
  webhook: Webhook,
};

interface Props {
  onSettings: () => void;
  onClose: () => void;
}

/** Lists what clients and colleagues did, newest first. */
export function NoticesDialog({ onSettings, onClose }: Props) {
  const notices = useQuery(endpointQuery('/api/notifications'));
  const markRead = useMarkRead();
  const may = useMay();
  const unread = notices.data?.unread ?? 0;
  return (
    <Dialog
      onClose={onClose}
      title="Notices"
      description="Activity by clients and colleagues."
      footer={
        <>
          <Button onClick={onSettings}>Settings</Button>
          <Button
            disabled={unread === 0}
            pending={markRead.isPending}
            onClick={() => markRead.mutate({ body: {} })}
            className="mr-auto"
          >
            Mark all as read
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {notices.isPending && <Loading>Loading...</Loading>}
      {notices.isError && <LoadError title="Couldn't load your notices" query={notices} />}
      {notices.data?.notifications.length === 0 && (
        <EmptyState icon={<Bell />} title="No notices yet">
          {may('POST /api/shares')
            ? "You'll see here when a client opens a link or decides, and when a colleague mentions you."
            : "You'll see here when a colleague mentions you."}
        </EmptyState>
      )}
      {notices.data && notices.data.notifications.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {notices.data.notifications.map((notice) => (
            <NoticeItem key={notice.id} notice={notice} onRead={(id) => markRead.mutate({ body: { ids: [id] } })} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function NoticeItem({ notice, onRead }: { notice: Notice; onRead: (id: number) => void }) {
  const { id, kind, createdAt, readAt } = notice;
  const Icon = ICONS[kind];
  const url = urlOf(notice);
  const isUnread = readAt === null;
  const text = noticeText(notice);
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', isUnread ? 'text-accent-ink' : 'text-faint')} />
      <div className="min-w-0 grow">
        <p className={cn('wrap-anywhere', isUnread && 'font-medium')}>
          {isUnread && <span className="sr-only">Unread: </span>}
          {url ? (
            <Link
              replace
              href={url}
              className="underline-offset-4 hover:underline"
              onClick={() => isUnread && onRead(id)}
            >
              {text}
            </Link>
          ) : (
            text
          )}
        </p>
        <p className="text-sm text-muted">{formatDateTime(createdAt)}</p>
      </div>
      {isUnread && (
        <Button size="sm" aria-label={`Mark as read: ${text}`} onClick={() => onRead(id)}>
          Mark as read
        </Button>
      )}
    </li>
  );
}

/** Null if the notice has no page. */
const urlOf = ({ kind, interviewId }: Notice): string | null => {
  if (kind === 'webhook') return '/webhooks';
  return interviewId === null ? null : `/?interview=${encodeURIComponent(interviewId)}`;
};

function useMarkRead() {
  const queryClient = useQueryClient();
  return useAction('POST /api/notifications/read', {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['/api/notifications'] }),
    onError: toastFailure("Couldn't mark as read"),
  });
}
