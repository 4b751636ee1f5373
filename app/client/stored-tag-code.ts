import { useSyncExternalStore } from 'react';
import { type AddressParts, resolveTagCode } from '#domain/tag-code/resolve-tag-code.ts';
import { isTagCode } from '#domain/tag-code/tag-code.ts';
import { onSessionStorageWrite, readSessionStorage, writeSessionStorage } from './browser-storage.ts';
import { usePublicConfig } from './public-config.ts';
import { readPublicConfig } from './read-public-config.ts';

const keyOf = (storagePrefix: string) => `${storagePrefix}_qr_id`;

/** Returns the tag code that this tab was opened with, or null. */
export function storedTagCode(): string | null {
  return readCode(keyOf(readPublicConfig().storagePrefix));
}

export function clearStoredTagCode(): void {
  writeSessionStorage(keyOf(readPublicConfig().storagePrefix), null);
}

/** Stores a tag code that was scanned in this tab. */
export function keepTagCode(code: string): void {
  writeSessionStorage(keyOf(readPublicConfig().storagePrefix), code);
}

/** Returns and stores the tag code in the URL; else returns the stored one, or null. */
export function rememberTagCode(address: AddressParts): string | null {
  const code = resolveTagCode(address);
  if (code !== null) keepTagCode(code);
  return code ?? storedTagCode();
}

/** Returns the stored tag code, in a component. Null during server rendering. */
export function useStoredTagCode(): string | null {
  const { storagePrefix } = usePublicConfig();
  return useSyncExternalStore(
    onSessionStorageWrite,
    () => readCode(keyOf(storagePrefix)),
    () => null,
  );
}

function readCode(key: string): string | null {
  const stored = readSessionStorage(key);
  return stored !== null && isTagCode(stored) ? stored : null;
}
