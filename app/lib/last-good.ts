/** What a screen shows, and whether it is what was loaded last because it could not be loaded now. */
export type Loaded<Value> = Value & { readonly isStale: boolean };

/**
 * Remembers what a screen loaded last, so that a connection that breaks does not take away what is on it, and with it
 * what somebody is typing. Under another key, such as another account's, nothing is remembered.
 */
export function rememberLastGood<Value extends object>() {
  let last: { readonly key: string; readonly value: Value } | undefined;
  return async (key: string, load: () => Promise<Value>): Promise<Loaded<Value>> => {
    try {
      const value = await load();
      last = { key, value };
      return { ...value, isStale: false };
    } catch (error) {
      // A Response is the router's: it leads elsewhere.
      if (error instanceof Response || last?.key !== key) throw error;
      return { ...last.value, isStale: true };
    }
  };
}
