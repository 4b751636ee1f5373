import * as v from 'valibot';
import { readPublicConfig } from './public-config.ts';

const schema = v.object({
  userId: v.string(),
  fullName: v.optional(v.string()),
  email: v.optional(v.string()),
});

/** A change of a profile that this browser keeps until the server has it. */
export type KeptProfileChange = v.InferOutput<typeof schema>;

const key = () => `${readPublicConfig().storagePrefix}_profile_change`;
const listeners = new Set<() => void>();

/** Keeps the change, over an earlier one of the same account; null forgets it. Answers whether the browser could. */
export function keepProfileChange(change: KeptProfileChange | null): boolean {
  try {
    if (change === null) localStorage.removeItem(key());
    else {
      const earlier = keptProfileChange(change.userId);
      localStorage.setItem(key(), JSON.stringify({ ...earlier, ...change }));
    }
    return true;
  } catch {
    return false;
  } finally {
    for (const listener of listeners) listener();
  }
}

/** What waits for the server, of this account. */
export function keptProfileChange(userId: string): KeptProfileChange | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(localStorage.getItem(key()) ?? 'null'));
    return parsed.success && parsed.output.userId === userId ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Calls the listener whenever this tab has kept or sent a change. Returns how to stop. */
export function onKeptProfileChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
