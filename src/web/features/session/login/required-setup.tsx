import { useId } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import type { User } from '#contracts/session.ts';
import { FirstCodeForm } from '#web/features/session/second-factor/first-code-form.tsx';
import { RecoveryCodeList } from '#web/features/session/second-factor/recovery-code-list.tsx';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/forms/button.tsx';
import type { TypedCredentials } from './login-form.tsx';

interface Props {
  /** Already checked: only the second factor is missing. */
  credentials: TypedCredentials;
  onSignedIn: (user: User) => void;
  onBack: () => void;
}

/** Replaces the sign-in form for users who must set up a second factor first. */
export function RequiredSetup({ credentials, onSignedIn, onBack }: Props) {
  const begin = useAction('POST /api/login/second-factor/secret', {
    onError: ({ message }) => toast({ title: 'Error', description: message, variant: 'destructive' }),
  });
  const confirm = useAction('POST /api/login/second-factor');
  if (confirm.data) {
    const { recoveryCodes, user } = confirm.data;
    return (
      <Step title="Save your recovery codes">
        <RecoveryCodeList codes={recoveryCodes} username={user.username} />
        <Button variant="primary" size="lg" className="w-full" onClick={() => onSignedIn(user)}>
          I've saved them
        </Button>
      </Step>
    );
  }
  if (begin.data) {
    return (
      <Step title="Add your authenticator app">
        <FirstCode
          shared={begin.data}
          confirm={confirm}
          onCode={(code) => confirm.mutate({ body: { ...credentials, code } })}
        />
        <Back disabled={confirm.isPending} onClick={onBack} />
      </Step>
    );
  }
  return (
    <Step title="Set up two-factor sign-in">
      <p className="text-muted">
        Your team requires two-factor <span className="whitespace-nowrap">sign-in</span>. Grab your phone; it takes a
        minute.
      </p>
      <Button
        variant="primary"
        size="lg"
        className="w-full"
        autoFocus
        pending={begin.isPending}
        onClick={() => begin.mutate({ body: { username: credentials.username, password: credentials.password } })}
      >
        Set up
      </Button>
      <Back disabled={begin.isPending} onClick={onBack} />
    </Step>
  );
}

interface FirstCodeProps {
  shared: SharedSecret;
  confirm: { error: Error | null; isPending: boolean };
  onCode: (code: string) => void;
}

function FirstCode({ shared, confirm, onCode }: FirstCodeProps) {
  const formId = useId();
  return (
    <>
      <FirstCodeForm id={formId} shared={shared} failure={confirm.error} disabled={confirm.isPending} onCode={onCode} />
      <Button type="submit" form={formId} variant="primary" size="lg" className="w-full" pending={confirm.isPending}>
        {confirm.isPending ? 'Signing in...' : 'Sign in'}
      </Button>
    </>
  );
}

const Step = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-4">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </section>
);

const Back = (props: { disabled: boolean; onClick: () => void }) => (
  <Button variant="ghost" className="w-full" {...props}>
    Back
  </Button>
);
