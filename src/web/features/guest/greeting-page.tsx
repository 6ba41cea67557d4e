import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '#web/ui/forms/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { type Greeting, LinkError, openLink } from './guest-link.ts';

interface Props {
  greeting: Greeting;
  /** Why an opened page was closed. */
  reason: string | null;
  onOpened: () => Promise<void>;
  /** The link has stopped working. */
  onGone: () => void;
}

/** Shown first, without candidates, so that link scanners do not count as an opening. */
export function GreetingPage({ greeting, reason, onOpened, onGone }: Props) {
  const { recipient, sender, needsPasscode } = greeting;
  const [passcode, setPasscode] = useState('');
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState(reason);
  const open = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setProblem(null);
    try {
      await openLink(needsPasscode ? passcode : null);
      await onOpened();
    } catch (error) {
      if (error instanceof LinkError && error.status === 404) return onGone();
      setProblem((error as Error).message);
    }
    setPending(false);
  };
  return (
    <Centered>
      <h1 className="text-xl font-semibold">{sender} shared candidates with you</h1>
      <p className="mt-2 text-muted">Watch their interviews and say what you think. You don't need an account.</p>
      <form onSubmit={open} className="mt-6 space-y-4">
        {needsPasscode && (
          <div>
            <label htmlFor="passcode" className="mb-1 block text-sm font-medium">
              Passcode
            </label>
            <Input
              id="passcode"
              required
              autoComplete="off"
              maxLength={100}
              value={passcode}
              aria-describedby="passcode-help"
              aria-invalid={problem !== null}
              onChange={(event) => setPasscode(event.target.value)}
            />
            <p id="passcode-help" className="mt-1 text-sm text-muted">
              Ask {sender} if you don't have it.
            </p>
          </div>
        )}
        {problem && (
          <p role="alert" className="text-sm text-danger-ink">
            {problem}
          </p>
        )}
        <Button type="submit" variant="primary" size="lg" pending={isPending} className="w-full whitespace-normal">
          Continue as {recipient}
        </Button>
      </form>
      <p className="mt-4 text-sm text-muted">
        This link is for {recipient} only. {sender} sees when it is opened and what is watched.
      </p>
    </Centered>
  );
}

export const Centered = ({ children }: { children: ReactNode }) => (
  <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-4 py-10">
    <div className="rounded-xl border border-line bg-surface p-6 shadow-card sm:p-8">{children}</div>
  </main>
);
