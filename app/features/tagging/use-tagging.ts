import { useState } from 'react';
import { addItem, type Item } from '#app/lib/items.ts';
import { forgetNewItemCode } from '#app/lib/new-item-code.ts';
import { currentSession } from '#app/lib/session.ts';
import { clearStoredTagCode } from '#app/lib/stored-tag-code.ts';
import { untilReached } from '#app/lib/until-reached.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { describeTagging, type TaggingForm } from '#domain/describe-tagging.ts';

/**
 * Tags an item with the code, however long it takes to reach the service. What refused it is in `refusal`; the item,
 * once it is there, in `tagged`.
 */
export function useTagging(code: string) {
  const { itemTypes, tagging, toasts, validation } = useMessages();
  const [tagged, setTagged] = useState<Item | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);

  const tag = async (form: TaggingForm): Promise<string | null> => {
    const description = describeTagging(form, itemTypes);
    if (description === null) return validation.chooseItemType;
    const session = await currentSession();
    if (session === null) return tagging.mustBeSignedIn;
    const outcome = await untilReached(
      (client) => addItem(client, session.user.id, code, description),
      () => setIsWaiting(true),
    );
    if (outcome === 'alreadyTagged' || outcome === 'notIssued') {
      forgetNewItemCode(code);
      showToast('failure', toasts.addItemFailed, { about: code });
      return tagging[outcome];
    }
    clearStoredTagCode();
    forgetNewItemCode(code);
    showToast('success', toasts.itemTagged, { about: code });
    setTagged(outcome);
    return null;
  };

  const submit = async (form: TaggingForm) => {
    setBusy(true);
    setRefusal(null);
    await tag(form)
      .then(setRefusal, () => {
        setRefusal(toasts.tagFailed);
        showToast('failure', toasts.tagFailed, { about: code });
      })
      .finally(() => {
        setBusy(false);
        setIsWaiting(false);
      });
  };

  return { submit, tagged, refusal, clearRefusal: () => setRefusal(null), busy, isWaiting };
}
