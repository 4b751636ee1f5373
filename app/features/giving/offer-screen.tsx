import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { acceptOffer, declineOffer } from '#app/data/transfers/received-offers.ts';
import type { ReceivedOffer } from '#app/data/transfers/transfers.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { ItemPicture } from '#app/item/item-picture.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Refusal } from '#app/ui/notice/alert.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { nameForReader } from '#domain/texts/type-of-name.ts';
import { finderWords } from '#words/finder.ts';
import { givingWords } from '#words/giving.ts';

/** Returns what the item is called to the reader, to whom its default name would say that it is theirs already. */
function useOfferedName({ itemName, giver }: ReceivedOffer): string {
  const language = useLanguage();
  if (!isUnnamed(itemName)) return nameForReader(itemName, language.texts.itemTypes);
  return giver === null
    ? givingWords(language).offer.anItem
    : finderWords(language).finder.somethingOf(isolateName(giver));
}

/** An open offer, which the reader accepts or declines by a press. */
export function OpenOffer({ offer }: { readonly offer: ReceivedOffer }) {
  const texts = givingWords(useLanguage()).offer;
  const { types } = useItemTypeNames();
  const itemName = useOfferedName(offer);
  const navigate = useNavigate();
  const [state, setState] = useState<'asking' | 'accepting' | 'declining' | 'declined' | 'gone'>('asking');
  const [refusal, setRefusal] = useState<string | null>(null);

  const accept = async () => {
    const outcome = await acceptOffer(await browserClient(), offer.id);
    if (outcome === 'gone') return setState('gone');
    if (typeof outcome === 'string') return setRefusal(texts.refusals[outcome]);
    showToast('success', texts.accepted(isolateName(itemName)));
    await navigate(`/item/${outcome.code}`, { replace: true });
  };
  const decline = async () => {
    await declineOffer(await browserClient(), offer.id);
    setState('declined');
  };
  const act = async (begun: 'accepting' | 'declining', work: () => Promise<void>) => {
    setState(begun);
    setRefusal(null);
    await work().catch(() => setRefusal(texts.refusals.failed));
    setState((now) => (now === begun ? 'asking' : now));
  };

  if (state === 'declined') return <Ended title={texts.declinedTitle} text={texts.declinedText} />;
  if (state === 'gone') return <Ended title={texts.closedTitle} text={texts.goneText} />;
  return (
    <Card className="flex flex-col gap-5">
      <h1 className="font-bold text-2xl">{texts.title}</h1>
      <div className="flex items-center gap-4">
        <ItemPicture item={offer} size="title" />
        <div className="min-w-0">
          <p className="wrap-anywhere font-semibold text-lg">
            <bdi>{itemName}</bdi>
          </p>
          <p className="text-ink-soft text-sm">{types[offer.itemType]}</p>
        </div>
      </div>
      <p>{offer.giver === null ? texts.fromUnnamed : <WithName of={texts.from} name={offer.giver} />}</p>
      <p className="text-ink-soft">
        {texts.gain} {texts.until(formatDay(offer.expiresAt))}
      </p>
      {refusal !== null && <Refusal text={refusal} />}
      <div className="flex flex-wrap gap-3">
        <Button
          busy={state === 'accepting'}
          disabled={state === 'declining'}
          onClick={() => void act('accepting', accept)}
          className="flex-1"
        >
          {state === 'accepting' ? texts.accepting : texts.accept}
        </Button>
        <Button
          variant="outline"
          busy={state === 'declining'}
          disabled={state === 'accepting'}
          onClick={() => void act('declining', decline)}
          className="flex-1"
        >
          {state === 'declining' ? texts.declining : texts.decline}
        </Button>
      </div>
    </Card>
  );
}

/** What the account says about its address: none, one that is not proved yet, or a proved one. */
export interface OwnAddress {
  readonly email: string | null;
  readonly isProved: boolean;
}

interface EndedProps {
  readonly title: string;
  readonly text: string;
}

/** Takes the place of an offer that ended on this screen, and the focus of the button that was pressed. */
function Ended({ title, text }: EndedProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card className="flex flex-col items-start gap-5">
      <h1 ref={heading} tabIndex={-1} className="font-bold text-2xl outline-none">
        {title}
      </h1>
      <p role="status" className="text-ink-soft">
        {text}
      </p>
      <ToDashboard />
    </Card>
  );
}

/** Shown for an offer that is over, or was made to another address. Which of these it is stays hidden. */
export function ClosedOffer({ email, isProved }: OwnAddress) {
  const texts = givingWords(useLanguage()).offer;
  const isAskable = email !== null && isProved;
  return (
    <Card className="flex flex-col items-start gap-5">
      <h1 className="font-bold text-2xl">{isAskable ? texts.closedTitle : texts.addressTitle}</h1>
      {isAskable ? (
        <>
          <p className="text-ink-soft">{texts.closedText}</p>
          <p className="wrap-anywhere text-ink-soft">
            <WithName of={texts.signedInAs} name={email} /> {texts.otherAddress}
          </p>
          <ToDashboard />
        </>
      ) : (
        <>
          <p className="wrap-anywhere text-ink-soft">
            {email === null ? texts.withoutAddress : <WithName of={texts.unproved} name={email} />}
          </p>
          <LinkButton to="/profile">{texts.toProfile}</LinkButton>
        </>
      )}
    </Card>
  );
}

/** Shown without a session: nothing about the offer is known yet. `onLeave` keeps the way back. */
export function OfferToVisitor({ onLeave }: { readonly onLeave: () => void }) {
  const texts = givingWords(useLanguage()).offer;
  return (
    <Card className="flex flex-col gap-5">
      <h1 className="font-bold text-2xl">{texts.visitorTitle}</h1>
      <p className="text-ink-soft">{texts.visitorText}</p>
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/auth?mode=login" onClick={onLeave} className="flex-1">
          {texts.signIn}
        </LinkButton>
        <LinkButton variant="outline" to="/auth?mode=register" onClick={onLeave} className="flex-1">
          {texts.register}
        </LinkButton>
      </div>
    </Card>
  );
}

function ToDashboard() {
  const texts = givingWords(useLanguage()).offer;
  return (
    <LinkButton variant="outline" to="/dashboard">
      {texts.toDashboard}
    </LinkButton>
  );
}

function useItemTypeNames() {
  const { itemTypes, otherItemTypes } = useLanguage().texts;
  return { types: { ...itemTypes, ...otherItemTypes } };
}
