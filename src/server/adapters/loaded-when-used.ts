type Call = (...given: never[]) => Promise<unknown>;

/**
 * Calls of an adapter whose code loads at the first of them: a process that never refreshes does not carry it in memory, and starts
 * without waiting for it. A load that fails is tried again at the next call.
 */
export function loadedWhenUsed<Port, Name extends keyof Port & string>(
  names: readonly Name[],
  load: () => Promise<Port>,
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
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Pick<Port, Name>;
}
