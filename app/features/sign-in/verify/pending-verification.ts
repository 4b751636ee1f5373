import { useMemo, useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { onSessionStorageWrite, readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';

const schema = v.object({
  email: v.string(),
  /** E.164; null where the account was created in another session and only its address is known. */
  phone: v.nullable(v.string()),
  /**
   * How the code was sent, if the service reported it; otherwise by the usual transport. Without a mail server, an
   * operator makes a link instead.
   */
  sentBy: v.optional(v.picklist(['email', 'sms', 'operator'])),
  fullName: v.optional(v.string(), ''),
  qrId: v.nullable(v.string()),
  /** When the code was last sent, in milliseconds since the epoch. */
  sentAt: v.number(),
  /** How many codes were refused since then. After `ONE_TIME_CODE_TRIES` the code is invalid. */
  wrongCodes: v.optional(v.number(), 0),
  /** The service refused to send another code, because this one was on its way. */
  wasSentBefore: v.optional(v.boolean(), false),
});

/** What the notice with the fixed code of a development server is about. It goes with what is pending. */
export const FIXED_CODE_NOTICE = 'fixed-code';

/** A registration that waits for its code. The password is not stored. */
export type PendingVerification = v.InferOutput<typeof schema>;

const keyOf = (storagePrefix: string) => `${storagePrefix}_pending_verification`;

export function storePendingVerification(pending: v.InferInput<typeof schema>): void {
  writeSessionStorage(keyOf(readPublicConfig().storagePrefix), JSON.stringify(pending));
}

/**
 * Changes what is stored of a pending verification. Returns whether it still is the pending one: while a request was
 * on its way, it may have been canceled, replaced by another, or got a new code.
 */
export function updatePendingVerification(known: PendingVerification, change: Partial<PendingVerification>): boolean {
  const now = readPendingVerification();
  if (now?.email !== known.email || now.sentAt !== known.sentAt) return false;
  storePendingVerification({ ...now, ...change });
  return true;
}

export function clearPendingVerification(): void {
  writeSessionStorage(keyOf(readPublicConfig().storagePrefix), null);
}

/** Returns the pending verification from storage, which another screen of this tab may have cleared in the meantime. */
export function readPendingVerification(): PendingVerification | null {
  return parse(readSessionStorage(keyOf(readPublicConfig().storagePrefix)));
}

/** Returns the pending verification, in a component. It survives a reload; null during server rendering. */
export function usePendingVerification(): PendingVerification | null {
  const { storagePrefix } = usePublicConfig();
  const text = useSyncExternalStore(
    onSessionStorageWrite,
    () => readSessionStorage(keyOf(storagePrefix)),
    () => null,
  );
  return useMemo(() => parse(text), [text]);
}

function parse(text: string | null): PendingVerification | null {
  if (text === null) return null;
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
