import type { ReactNode } from 'react';
import type { User } from '#contracts/session.ts';
import { Footer } from '#web/app/footer.tsx';
import { Header } from '#web/app/header.tsx';
import { useLiveWhileSignedIn } from '#web/app/use-live-while-signed-in.ts';

/** What surrounds every protected page. */
export function Shell({ user, children }: { user: User; children: ReactNode }) {
  useLiveWhileSignedIn();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 font-medium shadow-pop focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header user={user} />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-7xl grow px-4 py-6 outline-none sm:px-6 sm:py-8">
        {children}
      </main>
      <Footer />
    </div>
  );
}
