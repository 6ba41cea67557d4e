import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Logo } from '#web/features/session/logo.tsx';
import { ApiError } from '#web/lib/api-error.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { ChoosePassword } from './choose-password.tsx';

/** Opened from a link, even without a session. Opening it changes nothing. */
export function InvitationPage() {
  useTitle('Choose a password');
  const token = useLocation()[0].split('/')[2] ?? '';
  const params = { token: decodeURIComponent(token) };
  const invitation = useQuery({ ...endpointQuery('/api/invitations/:token', { params }), retry: false });
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <Card className="w-full max-w-sm animate-rise-in p-6 sm:p-8">
        <Logo className="mx-auto mb-4 size-10" />
        {invitation.isPending && <Loading>Loading...</Loading>}
        {invitation.isError && <Failure error={invitation.error} onRetry={() => invitation.refetch()} />}
        {invitation.data && <ChoosePassword token={params.token} username={invitation.data.username} />}
      </Card>
    </main>
  );
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400);
  if (!isGone) {
    return (
      <Alert
        tone="danger"
        title="Couldn't open the link"
        actions={
          <Button size="sm" onClick={onRetry}>
            Retry
          </Button>
        }
      >
        {error.message}
      </Alert>
    );
  }
  return (
    <Message title="This link no longer works">
      Links work once and for 72 hours. Ask an administrator for a new link.
    </Message>
  );
}

const Message = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="text-center">
    <h1 className="text-xl font-semibold">{title}</h1>
    <p className="mt-1 mb-6 text-muted">{children}</p>
    <Button asChild variant="primary" size="lg" className="w-full">
      <Link href="/login">Go to sign-in</Link>
    </Button>
  </div>
);
