import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useLive } from '#web/lib/live.ts';
import { Button } from '#web/ui/forms/button.tsx';

/** Larger numbers do not fit into the badge. */
const MAX_SHOWN = 99;

/** Opens the notices, and shows how many are unread. Current while the page is open. */
export function NoticeBell({ onOpen }: { onOpen: () => void }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(endpointQuery('/api/notifications'));
  useLive(({ type }) => {
    if (type === 'notices-changed') queryClient.invalidateQueries({ queryKey: ['/api/notifications'] });
  });
  const unread = data?.unread ?? 0;
  return (
    <Button
      variant="ghost"
      size="icon"
      className="relative"
      aria-label={unread > 0 ? `Notices, ${unread} unread` : 'Notices'}
      onClick={onOpen}
    >
      <Bell aria-hidden className="size-5" />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute -top-0.5 -right-0.5 min-w-4.5 rounded-full bg-accent px-1 text-center text-xs leading-4.5 font-medium text-on-accent"
        >
          {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
        </span>
      )}
    </Button>
  );
}
