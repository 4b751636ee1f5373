import { useState } from 'react';

interface Reloadable<Value> {
  /** The newest value that arrived; null where none ever did. */
  readonly value: Value | null;
  /** The newest try failed. */
  readonly failed: boolean;
  readonly reload: () => Promise<void>;
}

/**
 * A part of a screen that can be loaded again by itself.
 *
 * @param first - What the route's loader brought, so that the part has its size when it appears; null where that failed.
 */
export function useReloadable<Value>(first: Value | null, load: () => Promise<Value>): Reloadable<Value> {
  const [state, setState] = useState({ value: first, failed: first === null });

  const reload = async () => {
    await load().then(
      (value) => setState({ value, failed: false }),
      () => setState(({ value }) => ({ value, failed: true })),
    );
  };
  return { ...state, reload };
}
