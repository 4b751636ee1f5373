/** What a screen shows, and whether it is what was loaded last because it could not be loaded now. */
export type Loaded<Value> = Value & {
  readonly isStale: boolean;
  /** When loading began, as `performance.now()` counts. */
  readonly loadedAt: number;
};

/**
 * Remembers what a screen loaded last, so that a connection that breaks does not take away what is on it, and with it
 * what somebody is typing. Under another key, such as another account's, nothing is remembered.
 */
export function rememberLastGood<Value extends object>() {
  let last: { readonly key: string; readonly value: Value; readonly loadedAt: number } | undefined;
  return async (key: string, load: () => Promise<Value>): Promise<Loaded<Value>> => {
    const loadedAt = performance.now();
    try {
      const value = await load();
      last = { key, value, loadedAt };
      return { ...value, isStale: false, loadedAt };
    } catch (error) {
      // A Response is the router's: it leads elsewhere.
      if (error instanceof Response || last?.key !== key) throw error;
      return { ...last.value, isStale: true, loadedAt: last.loadedAt };
    }
  };
}
