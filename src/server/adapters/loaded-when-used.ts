type Call = (...given: never[]) => Promise<unknown>;
type Stream = (...given: never[]) => AsyncIterable<unknown>;

/**
 * Calls of an adapter whose code loads at the first of them: a process that never refreshes does not carry it in memory, and starts
 * without waiting for it. A load that fails is tried again at the next call. `names` answer with a promise, `streams` with one thing after
 * the other.
 */
export function loadedWhenUsed<Port, Name extends keyof Port & string>(
  names: readonly Name[],
  load: () => Promise<Port>,
  streams: readonly Name[] = [],
): Pick<Port, Name> {
  let loading: Promise<Port> | undefined;
  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const call =
    (name: Name): Call =>
    async (...given) => {
      const port = await loaded();
      return (port[name] as Call)(...given);
    };
  const stream = (name: Name): Stream =>
    async function* (...given) {
      const port = await loaded();
      yield* (port[name] as Stream)(...given);
    };
  return Object.fromEntries([
    ...names.map((name) => [name, call(name)]),
    ...streams.map((name) => [name, stream(name)]),
  ]) as Pick<Port, Name>;
}
