import type { ReactNode } from 'react';
import { Button } from '#web/ui/forms/button.tsx';
import { Alert } from './alert.tsx';

interface Props {
  title: string;
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** Default: the error's message. Null: the title is enough. */
  children?: ReactNode;
  className?: string;
}

/** An error message for data that could not be loaded, with a retry button. */
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
