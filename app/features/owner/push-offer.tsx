import { useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { mayOfferPush, setPushMark } from '#app/push/push-mark.ts';
import { readPushSupport } from '#app/push/push-support.ts';
import { Button } from '#app/ui/button.tsx';
import { loadPart } from '#app/ui/load-part.ts';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { inLanguage } from '#domain/texts/in-language.ts';
import { pushOfferEn } from '#domain/texts/screens/notices/push-offer-en.ts';

const textsOf = inLanguage({ en: pushOfferEn });

/** Offers notifications once in a browser that was never asked. The browser's own dialog follows a click only. */
export function PushOffer({ userId }: { readonly userId: string }) {
  const texts = textsOf(useLanguage());
  const config = usePublicConfig();
  const [isOffered, setIsOffered] = useState(
    () => readPushSupport(config) === 'available' && Notification.permission === 'default' && mayOfferPush(),
  );
  const [busy, setBusy] = useState(false);
  if (!isOffered) return null;

  const turnOn = async () => {
    setBusy(true);
    try {
      const { turnOnPush } = await loadPart(() => import('#app/push/this-device.ts'));
      await turnOnPush(userId);
      showToast('success', texts.turnedOn, { about: 'notifications' });
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
  return (
    <QuietLine>
      <p>{texts.text}</p>
      <div className="-ms-3 flex sm:ms-0">
        <Button variant="quiet" className="px-3! text-sm!" busy={busy} onClick={() => void turnOn()}>
          {texts.turnOn}
        </Button>
        <Button variant="quiet" className="px-3! text-sm!" onClick={putOff}>
          {texts.later}
        </Button>
      </div>
    </QuietLine>
  );
}
