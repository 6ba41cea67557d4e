import { useId } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import type { User } from '#contracts/session.ts';
import { FirstCodeForm } from '#web/features/session/second-factor/first-code-form.tsx';
import { RecoveryCodeList } from '#web/features/session/second-factor/recovery-code-list.tsx';
import { beginRequiredFactor, confirmRequiredFactor } from '#web/lib/api.ts';
import { toast } from '#web/lib/toast.tsx';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/button.tsx';

interface Given {
  username: string;
  password: string;
  rememberMe: boolean;
}

interface Props {
  /** The password was right: nothing but the second factor is missing. */
  given: Given;
  onSignedIn: (user: User) => void;
  onBack: () => void;
}

/** In the place of the sign-in form where everybody has to have a second factor, for who has none yet. */
export function RequiredSetUp({ given, onSignedIn, onBack }: Props) {
  const begin = useAction(beginRequiredFactor, {
    onError: ({ message }) => toast({ title: 'Error', description: message, variant: 'destructive' }),
  });
  const confirm = useAction(confirmRequiredFactor);
  if (confirm.data) {
    const { recoveryCodes, user } = confirm.data;
    return (
      <Step title="Keep your recovery codes">
        <RecoveryCodeList codes={recoveryCodes} username={user.username} />
        <Button variant="primary" size="lg" className="w-full" onClick={() => onSignedIn(user)}>
          I have kept them
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
          onCode={(code) => confirm.mutate({ body: { ...given, code } })}
        />
        <Back disabled={confirm.isPending} onClick={onBack} />
      </Step>
    );
  }
  return (
    <Step title="Set up two-factor sign-in">
      <p className="text-muted">
        Everybody here signs in with a code of an authenticator app as well. Have your phone at hand: this takes a
        minute.
      </p>
      <Button
        variant="primary"
        size="lg"
        className="w-full"
        autoFocus
        pending={begin.isPending}
        onClick={() => begin.mutate({ body: { username: given.username, password: given.password } })}
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
