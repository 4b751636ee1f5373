import { Button } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { usePushOffer } from './use-push-offer.ts';

/** Offers notifications once in a browser that was never asked. The browser's own dialog follows a click only. */
export function PushOffer({ userId }: { readonly userId: string }) {
  const { isOffered, busy, turnOn, putOff, texts } = usePushOffer(userId);
  if (!isOffered) return null;
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
