import { Gift } from 'lucide-react';
import type { Item } from '#app/data/items.ts';
import type { MadeOffer } from '#app/data/transfers/made-offers.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { ItemRow } from '#app/item/item-row.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { WithName } from '#app/ui/with-name.tsx';
import { itemPageWords } from '#words/item-page.ts';

const loadGiving = loadOnce(async () => (await import('./give-item.tsx')).GiveItem);

interface GivingRowProps {
  readonly item: Item;
  /** The latest offer of the item; null without one. */
  readonly offer: MadeOffer | null;
}

/** Gives the item to someone, and says what became of the offer. */
export function GivingRow({ item, offer }: GivingRowProps) {
  const texts = itemPageWords(useLanguage()).rows;
  return (
    <ItemRow
      id="give"
      icon={Gift}
      title={texts.giveAway}
      summary={offer === null ? undefined : <OfferSummary offer={offer} />}
      load={loadGiving}
    >
      {(Giving, title) => <Giving item={item} offer={offer} title={title} />}
    </ItemRow>
  );
}

function OfferSummary({ offer: { email, declinedAt, expiresAt } }: { readonly offer: MadeOffer }) {
  const texts = itemPageWords(useLanguage()).rows;
  if (declinedAt !== null) return <WithName of={texts.declined} name={email} />;
  return <WithName of={Date.parse(expiresAt) > Date.now() ? texts.offered : texts.notAccepted} name={email} />;
}
