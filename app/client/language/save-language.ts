import { dataClient } from '../browser-client.ts';
import { readPublicConfig } from '../read-public-config.ts';
import { storedUserId } from '../session.ts';

/**
 * Has the account of this browser written to in a language. Each choice is saved once, for the account of that time, and not for
 * one that signs in later. Without a connection, the next call saves it.
 */
export async function saveLanguage(language: string): Promise<void> {
  const userId = storedUserId();
  const key = `${readPublicConfig().storagePrefix}_saved_language`;
  if (userId === null || localStorage.getItem(key) === language) return;
  const { error } = await (await dataClient()).from('profiles').update({ language }).eq('id', userId);
  if (error === null) localStorage.setItem(key, language);
}
