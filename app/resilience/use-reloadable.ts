import { useState } from 'react';

interface Reloadable<Value> {
  /** The latest value that arrived; null where none has. */
  readonly value: Value | null;
  /** Whether the latest attempt failed. */
  readonly failed: boolean;
  readonly reload: () => Promise<void>;
}

/**
 * A part of a screen that can be reloaded separately.
 *
 * @param first - The value from the route's loader, so that the part has its final size when it appears; null where
 * loading failed.
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
