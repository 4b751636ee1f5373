import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { chooseContactMethods } from '#app/data/contact-methods.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';

export type Choice = 'messagesOnly' | 'keepAll';

/** Confirms the account's contact methods once, and then calls `onChosen`. `busy` is the choice being saved. */
export function useChooseContactMethods(ownerId: string, onChosen: () => void) {
  const { contactMethods } = useTexts();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<Choice | null>(null);

  const choose = async (choice: Choice) => {
    setBusy(choice);
    try {
      const outcome = await chooseContactMethods(await browserClient(), ownerId, choice === 'messagesOnly');
      if (outcome !== 'saved') throw new Error(`The contact methods were not saved: ${outcome}.`);
      showToast('success', choice === 'messagesOnly' ? contactMethods.messagesOnlyDone : contactMethods.keptDone, {
        about: 'ways',
      });
      await revalidate();
      onChosen();
    } catch {
      showToast('failure', contactMethods.failed, { about: 'ways' });
    }
    setBusy(null);
  };

  return { choose, busy };
}
