import { Gift } from 'lucide-react';
import { type RefObject, type SubmitEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import type { Item } from '#app/data/items.ts';
import { cancelOffer, type MadeOffer, offerItem } from '#app/data/transfers/made-offers.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LazyDialog } from '#app/item/lazy-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Alert, Refusal } from '#app/ui/notice/alert.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { givingWords } from '#words/giving.ts';

interface GiveItemProps {
  readonly item: Item;
  /** The latest offer of the item; null without one. */
  readonly offer: MadeOffer | null;
  /** The title above, which gets the focus once the pressed button is gone. */
  readonly title: RefObject<HTMLElement | null>;
}

/** Offers an item to someone, and shows what became of the offer. */
export function GiveItem({ item, offer, title }: GiveItemProps) {
  const texts = givingWords(useLanguage()).give;
  const { common } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const [wasSent, setWasSent] = useState(false);
  const isOpen = offer !== null && offer.declinedAt === null && Date.parse(offer.expiresAt) > Date.now();
  return (
    <div className="flex flex-col items-start gap-3">
      {offer === null ? (
        <p className="text-ink-soft text-sm">{item.voidReason === null ? texts.lead : texts.voidCode}</p>
      ) : (
        <div className="self-stretch">
          <Alert tone="info" quiet>
            <OfferState offer={offer} isOpen={isOpen} />
          </Alert>
        </div>
      )}
      {offer !== null && isOpen ? (
        <CancelOffer offer={offer} onCanceled={() => title.current?.focus()} />
      ) : (
        item.voidReason === null && (
          <Button
            variant="outline"
            onClick={() => {
              setWasSent(false);
              setIsAsking(true);
            }}
          >
            <Gift className="size-5" aria-hidden="true" />
            {texts.give}
          </Button>
        )
      )}
      <LazyDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={<WithName of={texts.dialogTitle} name={item.itemName} />}
        closeLabel={common.close}
        // Once an offer is open, the button that opened the dialog is gone.
        finalFocus={wasSent ? title : undefined}
      >
        <OfferForm
          itemId={item.id}
          onSent={() => {
            setWasSent(true);
            setIsAsking(false);
          }}
          onCancel={() => setIsAsking(false)}
        />
      </LazyDialog>
    </div>
  );
}

function OfferState({ offer, isOpen }: { readonly offer: MadeOffer; readonly isOpen: boolean }) {
  const texts = givingWords(useLanguage()).give;
  const { email, expiresAt, declinedAt } = offer;
  const sentence = (address: string) => {
    if (isOpen) return texts.pending({ email: address, day: formatDay(expiresAt) });
    return declinedAt === null ? texts.expired(address) : texts.declined(address);
  };
  return (
    <p className="wrap-anywhere">
      <WithName of={sentence} name={email} />
    </p>
  );
}

interface CancelOfferProps {
  readonly offer: MadeOffer;
  readonly onCanceled: () => void;
}

function CancelOffer({ offer, onCanceled }: CancelOfferProps) {
  const texts = givingWords(useLanguage()).give;
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    const wasThere = await cancelOffer(await browserClient(), offer.id);
    if (wasThere) announce(texts.withdrawn);
    else showToast('failure', texts.tooLate, { about: offer.id });
    await revalidate();
    onCanceled();
  };
  return (
    <Button
      variant="outline"
      busy={busy}
      onClick={() => {
        setBusy(true);
        void cancel()
          .catch(() => showToast('failure', texts.withdrawFailed, { about: offer.id }))
          .finally(() => setBusy(false));
      }}
    >
      {busy ? texts.withdrawing : texts.withdraw}
    </Button>
  );
}

interface OfferFormProps {
  readonly itemId: string;
  readonly onSent: () => void;
  readonly onCancel: () => void;
}

function OfferForm({ itemId, onSent, onCancel }: OfferFormProps) {
  const texts = givingWords(useLanguage()).give;
  const { authErrors } = useTexts();
  const { revalidate } = useRevalidator();
  const [email, setEmail] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { withRecentProof, proofDialog } = useRecentProof();

  /** Returns why the item was not offered, or null. */
  const offer = async (address: string): Promise<string | null> => {
    if (!address.includes('@')) return texts.refusals.address;
    const client = await browserClient();
    const outcome = await withRecentProof(() => offerItem(client, itemId, address));
    if (outcome !== 'made') return texts.refusals[outcome];
    await revalidate();
    announce(texts.sent(address));
    onSent();
    return null;
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setRefusal(null);
    setBusy(true);
    void offer(email.trim())
      .then(setRefusal, () => setRefusal(authErrors.unreachable))
      .finally(() => setBusy(false));
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {proofDialog}
      <div className="flex flex-col gap-2 text-ink-soft">
        <p>{texts.moves}</p>
        <p>{texts.stays}</p>
      </div>
      {refusal !== null && <Refusal text={refusal} />}
      <TextField
        label={texts.email}
        hint={texts.emailHint}
        type="email"
        inputMode="email"
        enterKeyHint="send"
        // The address of another person.
        autoComplete="off"
        required
        dir="ltr"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} className="flex-1">
          {busy ? texts.sending : texts.send}
        </Button>
        <Button variant="outline" onClick={onCancel} className="flex-1">
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
