import { Gift } from 'lucide-react';
import type { ReceivedOffer, Transfers } from '#app/data/transfers/transfers.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { nameForReader } from '#domain/texts/type-of-name.ts';
import { dashboardWords } from '#words/dashboard.ts';

/** How many offers the dashboard shows. The next ones follow once these are accepted or declined. */
const SHOWN = 3;

/** The newest offers to the account, each in one line. */
export function OfferLines({ offers }: Pick<Transfers, 'offers'>) {
  return offers.slice(0, SHOWN).map((offer) => <OfferLine key={offer.id} offer={offer} />);
}

function OfferLine({ offer: { id, giver, itemName } }: { readonly offer: ReceivedOffer }) {
  const language = useLanguage();
  const texts = dashboardWords(language).transfers;
  const item = isUnnamed(itemName) ? texts.anItem : isolateName(nameForReader(itemName, language.texts.itemTypes));
  return (
    <QuietLine>
      <p className="wrap-anywhere">
        {giver === null ? (
          texts.offerOfUnnamed(item)
        ) : (
          <WithName of={(name) => texts.offer({ giver: name, item })} name={giver} />
        )}
      </p>
      <LinkButton variant="quiet" className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0" to={`/offer/${id}`}>
        {texts.see}
      </LinkButton>
    </QuietLine>
  );
}

/** Leads to the items that the account gave away. */
export function GivenLink() {
  const texts = dashboardWords(useLanguage()).transfers;
  return (
    <LinkButton variant="quiet" to="/given" className="self-center">
      <Gift className="size-5" aria-hidden="true" />
      {texts.given}
    </LinkButton>
  );
}
