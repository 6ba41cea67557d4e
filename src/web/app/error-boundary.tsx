import { Component, type ReactNode } from 'react';
import { logError } from '#web/lib/log.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** The last resort: a page that broke, or one whose files a newer version has replaced. Loading again helps in both cases. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    logError('The page could not be shown', error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="mx-auto max-w-lg px-4 py-24">
        <EmptyState
          title="Something went wrong"
          action={
            <Button variant="primary" onClick={() => location.reload()}>
              Reload the page
            </Button>
          }
        >
          This page could not be shown. It may have been updated in the meantime.
        </EmptyState>
      </main>
    );
  }
}
