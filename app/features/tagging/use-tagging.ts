import { useState } from 'react';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { clearStoredTagCode } from '#app/client/stored-tag-code.ts';
import { noteScan } from '#app/data/first-scan.ts';
import { addItem, type Item } from '#app/data/items.ts';
import { claimItemCode, clearNewItemCode } from '#app/data/tag-codes.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { retryUntilOnline } from '#app/resilience/retry-until-online.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { describeTagging, type TaggingForm } from '#domain/item/describe-tagging.ts';
import { taggingWords } from '#words/tagging.ts';

/**
 * Tags an item with the code, and retries until the service responds. Without a code, the service gives one first.
 * `refusal` is the message of a refusal; `tagged` is the new item.
 *
 * @param withoutSticker - The code was generated here. Any other was scanned.
 */
export function useTagging(givenCode: string | null, withoutSticker: boolean) {
  const { itemTypes, toasts, validation } = useTexts();
  const { tagging } = taggingWords(useLanguage());
  const [tagged, setTagged] = useState<Item | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);

  const tag = async (form: TaggingForm): Promise<string | null> => {
    const description = describeTagging(form, itemTypes);
    if (description === null) return validation.chooseItemType;
    const session = await currentSession();
    if (session === null) return tagging.mustBeSignedIn;
    const code = givenCode ?? (await retryUntilOnline(withBrowserClient(claimItemCode), () => setIsWaiting(true)));
    setIsWaiting(false);
    const outcome = await retryUntilOnline(
      withBrowserClient((client) => addItem(client, session.user.id, code, description)),
      () => setIsWaiting(true),
    );
    if (outcome === 'alreadyTagged' || outcome === 'notIssued') {
      clearNewItemCode(code);
      showToast('failure', toasts.addItemFailed, { about: code });
      return tagging[outcome];
    }
    // Before, the code may have been unknown to the service. A failure is left to the next scan.
    if (!withoutSticker) await withBrowserClient((client) => noteScan(client, code))().catch(() => undefined);
    clearStoredTagCode();
    clearNewItemCode(code);
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
        showToast('failure', toasts.tagFailed, { about: 'tagging' });
      })
      .finally(() => {
        setBusy(false);
        setIsWaiting(false);
      });
  };

  return { submit, tagged, refusal, clearRefusal: () => setRefusal(null), busy, isWaiting };
}
