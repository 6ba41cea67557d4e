import { Logo } from '#web/features/session/logo.tsx';
import { formatDate } from '#web/lib/format.ts';

/** The build time; today without a build. */
const UPDATED = formatDate(import.meta.env.VITE_BUILT_AT ?? new Date());

export function Footer() {
  return (
    <footer className="border-t border-line group-has-[[data-page-loading]]/shell:invisible">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-5 text-sm text-faint sm:px-6">
        <p className="flex items-center gap-2">
          <Logo className="size-5" />© {new Date().getFullYear()} Video Interview Management. All rights reserved.
        </p>
        <p className="flex flex-wrap gap-x-4">
          <span>Version 2.0.0</span>
          <span>Last updated: {UPDATED}</span>
        </p>
      </div>
    </footer>
  );
}
