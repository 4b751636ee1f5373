import { dataClient } from '../browser-client.ts';
import { readPublicConfig } from '../read-public-config.ts';
import { storedUserId } from '../session.ts';

/**
 * Has the account of this browser written to in a language. Each choice is saved once: of several browsers, the newest
 * choice counts. Without a connection, the next call saves it.
 */
export async function saveLanguage(language: string): Promise<void> {
  const userId = storedUserId();
  const key = `${readPublicConfig().storagePrefix}_saved_language`;
  const choice = `${userId} ${language}`;
  if (userId === null || localStorage.getItem(key) === choice) return;
  const { error } = await (await dataClient()).from('profiles').update({ language }).eq('id', userId);
  if (error === null) localStorage.setItem(key, choice);
}
