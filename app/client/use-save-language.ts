import { useEffect } from 'react';
import { readLanguage } from '#app/i18n/use-texts.ts';
import { whenSettled } from '#app/ui/when-idle.ts';
import { LANGUAGE_COOKIE } from '#domain/language-list.ts';
import { dataClient } from './browser-client.ts';
import { readPublicConfig } from './read-public-config.ts';
import { storedUserId } from './session.ts';

/**
 * Has the account written to in the language that its owner chose in this browser, from the first screen after the choice
 * on. What a browser only asks for is no choice. Each choice is saved once: of several browsers, the newest choice counts.
 */
export function useSaveLanguage(): void {
  useEffect(() => whenSettled(() => void saveLanguage().catch(() => undefined)), []);
}

async function saveLanguage(): Promise<void> {
  const userId = storedUserId();
  if (userId === null || !isChosen()) return;
  const { tag: language } = readLanguage();
  const key = `${readPublicConfig().storagePrefix}_saved_language`;
  const choice = `${userId} ${language}`;
  if (localStorage.getItem(key) === choice) return;
  const { error } = await (await dataClient()).from('profiles').update({ language }).eq('id', userId);
  if (error === null) localStorage.setItem(key, choice);
}

/** Whether the language of the document is the chosen one, or its nearest among owners' languages. */
function isChosen(): boolean {
  const chosen = document.cookie.split('; ').find((pair) => pair.startsWith(`${LANGUAGE_COOKIE}=`));
  return chosen?.slice(LANGUAGE_COOKIE.length + 1).split('-')[0] === readLanguage().tag.split('-')[0];
}
