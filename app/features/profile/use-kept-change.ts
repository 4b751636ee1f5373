import { useEffect, useState } from 'react';
import { type KeptProfileChange, keptProfileChange, onKeptProfileChange } from '#app/lib/kept-profile-change.ts';

/** What of this account's profile still waits for the server. */
export function useKeptChange(userId: string): KeptProfileChange | null {
  const [kept, setKept] = useState(() => keptProfileChange(userId));
  useEffect(() => onKeptProfileChange(() => setKept(keptProfileChange(userId))), [userId]);
  return kept;
}
