import { SIGN_ON_REFUSALS, type SignOnRefusal } from '#contracts/rules/sign-on-refusals.ts';
import { urlAfterLogin } from '#web/lib/dashboard-place.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Button } from '#web/ui/forms/button.tsx';

interface SignOnButtonProps {
  /** The name of the provider. */
  name: string;
  /** The only way to sign in. */
  isOnly: boolean;
}

/** Leaves the application: the provider sends the browser back. */
export function SignOnButton({ name, isOnly }: SignOnButtonProps) {
  const start = `/api/login/oidc?${new URLSearchParams({ to: urlAfterLogin() })}`;
  return (
    <>
      {!isOnly && (
        <p aria-hidden className="my-4 flex items-center gap-3 text-sm text-muted">
          <span className="grow border-t border-line" />
          or
          <span className="grow border-t border-line" />
        </p>
      )}
      <Button
        asChild
        variant={isOnly ? 'primary' : 'secondary'}
        size="lg"
        className="h-auto min-h-10 w-full py-2 whitespace-normal max-md:min-h-11"
      >
        <a href={start}>Sign in with {name}</a>
      </Button>
    </>
  );
}

type Message = (name: string, isPasswordHidden: boolean) => [title: string, advice: string];

const MESSAGES: Record<SignOnRefusal, Message> = {
  unreachable: (name, isPasswordHidden) => [
    `Couldn't reach ${name}`,
    isPasswordHidden
      ? 'Try again in a moment. If this keeps happening, tell an admin.'
      : 'Try again in a moment, or sign in with your password.',
  ],
  misconfigured: (name) => [`Couldn't sign in with ${name}`, 'Ask an admin to check the settings of single sign-on.'],
  denied: (name) => [`${name} didn't sign you in`, 'You canceled, or you may not use this application. Try again.'],
  expired: () => ['This sign-in has expired', 'It took too long, or began in another tab or browser. Try again.'],
  invalid: (name) => [`Couldn't verify the sign-in with ${name}`, 'Try again. If this keeps happening, tell an admin.'],
  no_account: () => ["You don't have an account yet", 'Ask an admin to add one with your email address.'],
  unverified: (name) => [
    "Your email address isn't verified",
    `Ask your IT department to verify it at ${name}, then try again.`,
  ],
  linked: (name) => [
    'Your email address is taken',
    `Someone else at ${name} uses the account with your email address. Ask an admin.`,
  ],
  disabled: () => ['Your account is disabled', 'Ask an admin to enable it.'],
};

interface SignOnRefusedProps {
  /** From the URL: any text. */
  reason: string | null;
  name: string;
  isPasswordHidden: boolean;
}

/** Why the provider's sign-in did not work, and what to do. */
export function SignOnRefused({ reason, name, isPasswordHidden }: SignOnRefusedProps) {
  const known = SIGN_ON_REFUSALS.find((one) => one === reason);
  if (!known) return null;
  const [title, advice] = MESSAGES[known](name, isPasswordHidden);
  return (
    <Alert tone="danger" title={title} className="mb-5">
      {advice}
    </Alert>
  );
}
