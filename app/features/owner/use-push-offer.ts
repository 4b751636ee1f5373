import { useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { mayOfferPush, setPushMark } from '#app/push/push-mark.ts';
import { readPushSupport } from '#app/push/push-support.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { itemPageWords } from '#words/item-page.ts';

/** Whether this browser was never asked for notifications, and what the owner can answer. Call `turnOn` from a click. */
export function usePushOffer(userId: string) {
  const texts = itemPageWords(useLanguage()).pushOffer;
  const config = usePublicConfig();
  const [isOffered, setIsOffered] = useState(
    () => readPushSupport(config) === 'available' && Notification.permission === 'default' && mayOfferPush(),
  );
  const [isOn, setIsOn] = useState(false);
  const [busy, setBusy] = useState(false);

  const turnOn = async () => {
    setBusy(true);
    try {
      const { turnOnPush } = await loadPart(() => import('#app/push/this-device.ts'));
      await turnOnPush(userId);
      showToast('success', texts.turnedOn, { about: 'notifications' });
      setIsOn(true);
      setIsOffered(false);
    } catch {
      // Refused for good, or to be asked another time.
      if (Notification.permission !== 'default') setIsOffered(false);
      showToast('failure', texts.failed, { about: 'notifications' });
    }
    setBusy(false);
  };
  const putOff = () => {
    setPushMark('later');
    setIsOffered(false);
  };
  return { isOffered, isOn, busy, turnOn, putOff, texts };
}
