import { readPublicConfig } from './read-public-config.ts';

/** Returns the key in local storage of what an account keeps in this browser until it signs out. */
export function privateStorageKey(): string {
  return `${readPublicConfig().storagePrefix}_private`;
}
