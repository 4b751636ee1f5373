import { useEffect } from 'react';
import { readLanguage } from '#app/i18n/use-texts.ts';
import { whenSettled } from '#app/ui/when-idle.ts';
import { LANGUAGE_COOKIE } from '#domain/language-list.ts';

/**
 * Has the account written to in the language that its owner chose in this browser, from the first screen after the choice
 * on. What a browser only asks for is no choice.
 */
export function useSaveLanguage(): void {
  useEffect(() => {
    const language = chosenLanguage();
    if (language === null) return;
    return whenSettled(() => {
      import('./save-language.ts').then(({ saveLanguage }) => saveLanguage(language)).catch(() => undefined);
    });
  }, []);
}

/** Returns the language of the document where it is the chosen one, or its nearest among owners' languages. */
function chosenLanguage(): string | null {
  const { tag } = readLanguage();
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${LANGUAGE_COOKIE}=`));
  return pair?.slice(LANGUAGE_COOKIE.length + 1).split('-')[0] === tag.split('-')[0] ? tag : null;
}
