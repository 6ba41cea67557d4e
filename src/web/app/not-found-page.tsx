import { Compass, Lock } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { Link, useLocation } from 'wouter';
import { ROLE_LABELS } from '#contracts/rules/roles.ts';
import { UserContext } from '#web/lib/may.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { linkTo } from './navigation.ts';

export const NotFoundPage = () => (
  <Notice title="Page Not Found" icon={<Compass />}>
    This page doesn't exist or has moved.
  </Notice>
);

/** Shown instead of a page that requires another role. */
export function NoAccessPage() {
  const [location] = useLocation();
  const user = useContext(UserContext);
  const page = linkTo(location.replace(/\/$/, ''))?.label ?? 'this page';
  return (
    <Notice title="No access" icon={<Lock />}>
      As a {ROLE_LABELS[user?.role ?? 'reviewer'].toLowerCase()} you can't open {page}. If you need it, ask an
      administrator.
    </Notice>
  );
}

interface NoticeProps {
  title: string;
  icon: ReactNode;
  children: ReactNode;
}

function Notice({ title, icon, children }: NoticeProps) {
  useTitle(title);
  return (
    <div className="grid min-h-[calc(100dvh-10rem)] place-items-center">
      <Card className="flex w-full max-w-sm flex-col items-center p-8 text-center">
        <div
          aria-hidden
          className="mb-4 grid size-11 place-items-center rounded-xl bg-sunken text-faint [&>svg]:size-5"
        >
          {icon}
        </div>
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-1 mb-6 text-muted">{children}</p>
        <Button asChild variant="primary">
          <Link href="/">Go to the dashboard</Link>
        </Button>
      </Card>
    </div>
  );
}
