import type { ReactNode } from 'react';
import { Button } from '#web/ui/forms/button.tsx';
import { Alert } from './alert.tsx';

interface Props {
  title: string;
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** By default the message of the error; null when the title says enough. */
  children?: ReactNode;
  className?: string;
}

/** What could not be loaded and why, with a button that tries again. */
export const LoadError = ({ title, query, children = query.error?.message, className = '' }: Props) => (
  <Alert
    tone="danger"
    title={title}
    className={className}
    actions={
      <Button size="sm" pending={query.isFetching} onClick={() => query.refetch()}>
        Retry
      </Button>
    }
  >
    {children}
  </Alert>
);
