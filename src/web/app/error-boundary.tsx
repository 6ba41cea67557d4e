import { Component, type ReactNode } from 'react';
import { logError } from '#web/lib/log.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button } from '#web/ui/forms/button.tsx';

/**
 * Shown when rendering fails, or when a new version has replaced the page's files. Reloading helps
 * in both cases.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    logError('The page failed to render', error);
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
          This page couldn't load. There may be a new version: reload to get it.
        </EmptyState>
      </main>
    );
  }
}
