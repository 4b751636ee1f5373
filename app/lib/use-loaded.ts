import { useEffect, useEffectEvent, useState } from 'react';

interface Loaded<Value> {
  /** Null until it is here. */
  readonly value: Value | null;
  /** The newest try failed. */
  readonly failed: boolean;
  readonly reload: () => Promise<void>;
}

/** What a part of a screen shows that the rest need not wait for. It is asked for when the part appears. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<{ value: Value | null; failed: boolean }>({ value: null, failed: false });

  const reload = async () => {
    await load().then(
      (value) => setState({ value, failed: false }),
      () => setState(({ value }) => ({ value, failed: true })),
    );
  };
  const first = useEffectEvent(() => void reload());
  useEffect(() => first(), []);

  return { ...state, reload };
}
