/** The data of a screen, and whether it is from an earlier load because the latest one failed. */
export type Loaded<Value> = Value & {
  readonly isStale: boolean;
  /** When loading began, as `performance.now()`. */
  readonly loadedAt: number;
};

/**
 * Keeps the last loaded data of a screen, so that a broken connection removes neither the content nor what the user is
 * typing, also where the session cannot be refreshed. Data of another user or another screen is not kept.
 *
 * The returned function takes the id of the stored session's user, a name of the screen, and what loads it. A load that
 * began earlier names its own `loadedAt`.
 *
 * @example
 * const staleIfError = createStaleIfError<{ userId: string; items: Item[] }>();
 * const { items, isStale } = await staleIfError(storedUserId(), 'dashboard', loadItems);
 */
export function createStaleIfError<Value extends { readonly userId: string | null }>() {
  let last: { readonly screen: string; readonly value: Value; readonly loadedAt: number } | undefined;
  return async (
    userId: string | null,
    screen: string,
    load: () => Promise<Value & { readonly loadedAt?: number }>,
  ): Promise<Loaded<Value>> => {
    const begunAt = performance.now();
    try {
      const value = await load();
      const { loadedAt = begunAt } = value;
      last = { screen, value, loadedAt };
      return { ...value, isStale: false, loadedAt };
    } catch (error) {
      // A Response comes from the router, such as a redirect.
      if (error instanceof Response || last?.screen !== screen || last.value.userId !== userId) throw error;
      return { ...last.value, isStale: true, loadedAt: last.loadedAt };
    }
  };
}
