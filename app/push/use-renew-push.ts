import { useEffect } from 'react';
import { storedUserId } from '#app/client/session.ts';
import { whenSettled } from '#app/ui/when-idle.ts';

/** Keeps the notifications of this browser, for the account that turned them on in it. */
export function useRenewPush(): void {
  useEffect(
    () =>
      whenSettled(() => {
        const userId = storedUserId();
        // What cannot be renewed now is at the next visit.
        if (userId !== null) import('./this-device.ts').then(({ renewPush }) => renewPush(userId)).catch(() => {});
      }),
    [],
  );
}
