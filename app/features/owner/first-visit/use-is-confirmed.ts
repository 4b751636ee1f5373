import { useEffect, useState } from 'react';
import { readUser } from '#app/client/session/read-user.ts';

/** Whether the account's address is confirmed. Asks when the user returns to this tab, such as after following the link. */
export function useIsConfirmed(): boolean {
  const [isConfirmed, setIsConfirmed] = useState(false);
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      if (document.visibilityState === 'hidden') return;
      const user = await readUser();
      if (!gone) setIsConfirmed(user.email_confirmed_at !== undefined);
    };
    // Without a response it is asked at the next return.
    const listener = () => void ask().catch(() => {});
    listener();
    document.addEventListener('visibilitychange', listener);
    return () => {
      gone = true;
      document.removeEventListener('visibilitychange', listener);
    };
  }, []);
  return isConfirmed;
}
