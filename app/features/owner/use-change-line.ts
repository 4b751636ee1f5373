import { type ReactNode, useEffect, useState } from 'react';
import { whenSettled } from '#app/ui/when-idle.ts';

/** Returns a line about what another session changed, or null. It is asked for once the screen is there. */
export function useChangeLine(): ReactNode {
  const [line, setLine] = useState<ReactNode>(null);
  useEffect(
    () =>
      whenSettled(() => {
        import('./account-change-line.tsx')
          .then(({ findChangeLine }) => findChangeLine())
          // The next visit asks again.
          .then(setLine, () => {});
      }),
    [],
  );
  return line;
}
