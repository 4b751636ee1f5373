import { useSyncExternalStore } from 'react';
import { type AddressParts, resolveTagCode } from '#domain/resolve-tag-code.ts';
import { isTagCode } from '#domain/tag-code.ts';
import { onSessionStorageWrite, readSessionStorage, writeSessionStorage } from './browser-storage.ts';
import { readPublicConfig, usePublicConfig } from './public-config.ts';

const keyOf = (storagePrefix: string) => `${storagePrefix}_qr_id`;

/** The code that this tab was opened with, or null. */
export function storedTagCode(): string | null {
  return readCode(keyOf(readPublicConfig().storagePrefix));
}

export function clearStoredTagCode(): void {
  writeSessionStorage(keyOf(readPublicConfig().storagePrefix), null);
}

/** Stores a code that was scanned in this tab. */
export function keepTagCode(code: string): void {
  writeSessionStorage(keyOf(readPublicConfig().storagePrefix), code);
}

/** The code that the address names, which is then stored; else the stored one; else null. */
export function rememberTagCode(address: AddressParts): string | null {
  const code = resolveTagCode(address);
  if (code !== null) keepTagCode(code);
  return code ?? storedTagCode();
}

/** The stored code, in a component. Null while the server renders. */
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
