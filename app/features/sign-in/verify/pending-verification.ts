import { useMemo, useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { onSessionStorageWrite, readSessionStorage, writeSessionStorage } from '#app/lib/browser-storage.ts';
import { readPublicConfig, usePublicConfig } from '#app/lib/public-config.ts';

const schema = v.object({
  email: v.string(),
  /** E.164; null where the account was made in another session and only its address is known. */
  phone: v.nullable(v.string()),
  fullName: v.optional(v.string(), ''),
  qrId: v.nullable(v.string()),
  /** When the code was last sent, in milliseconds since 1970. */
  sentAt: v.number(),
  /** Codes that were refused since then. After `ONE_TIME_CODE_TRIES` the one that was sent is worth nothing. */
  wrongCodes: v.optional(v.number(), 0),
  /** The service refused to send another code, because this one was on its way. */
  wasSentBefore: v.optional(v.boolean(), false),
});

/** A registration that waits for its code. The password is not in it, and nowhere else either. */
export type PendingVerification = v.InferOutput<typeof schema>;

/** Milliseconds between two codes to the same recipient; the service refuses sooner. */
export const CODE_GAP = 60_000;

const keyOf = (storagePrefix: string) => `${storagePrefix}_pending_verification`;

export function storePendingVerification(pending: v.InferInput<typeof schema>): void {
  writeSessionStorage(keyOf(readPublicConfig().storagePrefix), JSON.stringify(pending));
}

export function clearPendingVerification(): void {
  writeSessionStorage(keyOf(readPublicConfig().storagePrefix), null);
}

/** What is pending as it stands in storage now, which another screen of this tab may have emptied meanwhile. */
export function readPendingVerification(): PendingVerification | null {
  return parse(readSessionStorage(keyOf(readPublicConfig().storagePrefix)));
}

/** What is pending, in a component. It survives a reload; null while the server renders. */
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
