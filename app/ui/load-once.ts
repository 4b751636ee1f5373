/**
 * Returns a loader that loads once for all its callers. A failed load is not kept, so the next caller retries.
 *
 * @example const loadEditor = loadOnce(() => import('./editor.tsx'));
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
