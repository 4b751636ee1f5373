import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import type { ProfileChange } from './profile.ts';

const schema = v.object({
  userId: v.string(),
  fullName: v.optional(v.string()),
  email: v.optional(v.string()),
});

/** Changes of a profile, stored in this browser until the server has them. */
export type UnsentProfileChange = v.InferOutput<typeof schema>;

const key = () => `${readPublicConfig().storagePrefix}_profile_change`;
const listeners = new Set<() => void>();

/**
 * Stores changes, merged with earlier ones of the same account; null removes them. Returns whether the browser could
 * store them.
 */
export function keepProfileChange(change: UnsentProfileChange | null): boolean {
  try {
    if (change === null) localStorage.removeItem(key());
    else {
      const earlier = unsentProfileChange(change.userId);
      localStorage.setItem(key(), JSON.stringify({ ...earlier, ...change }));
    }
    return true;
  } catch {
    return false;
  } finally {
    for (const listener of listeners) listener();
  }
}

/** Removes from the account's unsent changes the fields of a later change, whatever their values. */
export function dropProfileChange(userId: string, later: ProfileChange): void {
  const unsent = unsentProfileChange(userId);
  if (unsent === null) return;
  const fullName = later.fullName === undefined ? unsent.fullName : undefined;
  const email = later.email === undefined ? unsent.email : undefined;
  keepProfileChange(null);
  if (fullName !== undefined || email !== undefined) keepProfileChange({ userId, fullName, email });
}

let previous: Promise<unknown> = Promise.resolve();

/** Makes a request that saves a profile after the previous one has ended. Two at once could arrive in the wrong order. */
export function saveInTurn<Result>(save: () => Promise<Result>): Promise<Result> {
  const result = previous.then(save);
  previous = result.catch(() => {});
  return result;
}

/** Returns the account's changes that have not been sent. */
export function unsentProfileChange(userId: string): UnsentProfileChange | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(localStorage.getItem(key()) ?? 'null'));
    return parsed.success && parsed.output.userId === userId ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Calls the listener when this tab has stored or sent changes. Returns a function that unsubscribes. */
export function onUnsentProfileChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the unsent change of this account's profile, or null. */
export function useUnsentChange(userId: string): UnsentProfileChange | null {
  const [unsent, setUnsent] = useState(() => unsentProfileChange(userId));
  useEffect(() => onUnsentProfileChange(() => setUnsent(unsentProfileChange(userId))), [userId]);
  return unsent;
}
