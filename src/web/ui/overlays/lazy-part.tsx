import { useMutation } from '@tanstack/react-query';
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { logError } from '#web/lib/log.ts';
import { checkVersion, useIsOutdated } from '#web/lib/new-version.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from './dialog.tsx';

/** After this time the browser fetches the parts that may be used next. */
const PREFETCH_DELAY_MS = 3_000;

interface Options {
  /** Shown while the file loads. */
  fallback?: ReactNode;
  /** The title of the message. Default: `Couldn't load this`. */
  failure?: string;
}

interface Part<Props> extends Options {
  fetch: () => Promise<{ default: ComponentType<Props> }>;
  /** Null until the file has loaded. */
  ready: ComponentType<Props> | null;
  loading: ComponentType<Props>;
}

const preloads: (() => Promise<void>)[] = [];

/**
 * A part of the page in its own file, loaded when it is first rendered. If the file cannot be
 * loaded, a message with Retry replaces only the part: in a dialog if the part has `onClose`, else
 * in its place. `preload` fetches the file; a failure appears when the part is rendered.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, options: Options = {}) {
  const fetch = async () => {
    part.ready = await load();
    return { default: part.ready };
  };
  const part: Part<Props> = { ...options, fetch, ready: null, loading: lazy(fetch) };
  const preload = () =>
    fetch().then(
      () => {},
      () => {},
    );
  preloads.push(preload);
  return Object.assign((props: Props) => <Shown part={part} props={props} />, { preload });
}

function Shown<Props extends object>({ part, props }: { part: Part<Props>; props: Props }) {
  // Chosen once, so that the part keeps its state. A loaded part needs no fallback, which React
  // would show for at least 300 ms.
  const [Chosen] = useState(() => part.ready ?? part.loading);
  const message =
    'onClose' in props ? (
      <FailureDialog {...part} onClose={props.onClose as () => void} />
    ) : (
      <FailureInPlace {...part} />
    );
  return (
    <Boundary message={message}>
      <Suspense fallback={part.fallback}>
        <Chosen {...props} />
      </Suspense>
    </Boundary>
  );
}

/** Loads all parts one after the other while the browser is idle, so that most open immediately. */
export function prefetchParts(): void {
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  const next = () => whenIdle(() => preloads.shift()?.().then(next));
  setTimeout(next, PREFETCH_DELAY_MS);
}

interface BoundaryProps {
  message: ReactNode;
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    logError('A part of the page failed to load', error);
    checkVersion();
  }

  override render() {
    return this.state.failed ? this.props.message : this.props.children;
  }
}

/** Title, text and button of the message. */
function useFailure(failure = "Couldn't load this") {
  const isOutdated = useIsOutdated();
  // Browsers do not request a module again after a failure, so Retry reloads the page. The same
  // dialog opens again, because it is part of the URL.
  const retry = useMutation({ mutationFn: async () => (await checkVersion()) && location.reload() });
  return {
    title: isOutdated ? 'A new version is available' : failure,
    text: isOutdated ? 'Reload the page to use it.' : 'Check your connection and try again.',
    button: (
      <Button variant="primary" pending={retry.isPending} onClick={() => retry.mutate()}>
        {isOutdated ? 'Reload' : 'Retry'}
      </Button>
    ),
  };
}

function FailureDialog({ failure, onClose }: Pick<Options, 'failure'> & { onClose: () => void }) {
  const { title, text, button } = useFailure(failure);
  return (
    <Dialog onClose={onClose} title={title} description={text} size="sm" footer={button}>
      {null}
    </Dialog>
  );
}

function FailureInPlace({ failure }: Pick<Options, 'failure'>) {
  const { title, text, button } = useFailure(failure);
  return (
    <EmptyState title={title} action={button} className="border-none py-8">
      {text}
    </EmptyState>
  );
}
