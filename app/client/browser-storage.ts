/** Session storage that is simply empty where the browser forbids it. */
export function readSessionStorage(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores the value, or removes it when null. Does nothing where the browser forbids it. */
export function writeSessionStorage(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // A browser without storage works on; it forgets at a reload.
  }
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Calls the listener whenever this tab has written. Returns how to stop. */
export function onSessionStorageWrite(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
