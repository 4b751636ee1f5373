/**
 * A loader that loads once for all its callers. A load that failed is forgotten, so that the next caller, who may have
 * a connection, begins another.
 *
 *   const loadEditor = loadOnce(() => import('./editor.tsx'));
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
