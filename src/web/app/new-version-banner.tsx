import { useIsOutdated } from '#web/lib/new-version.ts';
import { Button } from '#web/ui/forms/button.tsx';

/** Shown on every screen once the server serves a newer build than this tab runs. */
export function NewVersionBanner() {
  const isOutdated = useIsOutdated();
  return (
    <div aria-live="polite" className="fixed bottom-0 left-0 z-30 p-3 sm:p-6">
      {isOutdated && (
        <div className="bordered flex animate-rise-in items-center gap-3 rounded-lg bg-raised py-2 pr-2 pl-4 shadow-pop">
          A new version is available.
          <Button size="sm" variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
