/** Reads session storage; returns null where the browser denies access. */
export function readSessionStorage(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores the value, or removes it when null. Does nothing where the browser denies access. */
export function writeSessionStorage(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Without storage the app works, but forgets the value at a reload.
  }
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Calls the listener after each write of this tab. Returns a function that unsubscribes. */
export function onSessionStorageWrite(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
