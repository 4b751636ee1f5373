import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/lib/browser-client.ts';
import { chooseWays } from '#app/lib/channels.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';

export type Choice = 'messagesOnly' | 'keepAll';

/** Says once for the account which ways stay open to finders. `busy` is the choice that is being saved. */
export function useChooseWays(ownerId: string) {
  const { ways } = useMessages();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<Choice | null>(null);

  const choose = async (choice: Choice) => {
    setBusy(choice);
    try {
      await chooseWays(await browserClient(), ownerId, choice === 'messagesOnly');
      showToast('success', choice === 'messagesOnly' ? ways.messagesOnlyDone : ways.keptDone, { about: 'ways' });
      await revalidate();
    } catch {
      showToast('failure', ways.failed, { about: 'ways' });
    }
    setBusy(null);
  };

  return { choose, busy };
}
