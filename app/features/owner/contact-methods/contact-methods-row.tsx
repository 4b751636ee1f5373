import { MessageCircle } from 'lucide-react';
import type { Item } from '#app/data/items.ts';
import { formatList } from '#app/i18n/format-list.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { ItemRow } from '#app/item/item-row.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { CONTACT_METHODS, contactState, type OpenContactMethods } from '#domain/contact/contact-methods.ts';
import { itemPageWords } from '#words/item-page.ts';

const loadSwitches = loadOnce(async () => (await import('./contact-method-switches.tsx')).ContactMethodSwitches);

interface ContactMethodsRowProps {
  readonly item: Item;
  /** Whether the owner has confirmed the account's contact methods. */
  readonly areChosen: boolean;
  /** What currently applies to this item. */
  readonly open: OpenContactMethods;
}

/** How finders reach the owner about this item, with the switches inside. */
export function ContactMethodsRow({ item, areChosen, open }: ContactMethodsRowProps) {
  const language = useLanguage();
  const { contactMethods } = language.texts;
  const texts = itemPageWords(language).rows;
  const names = CONTACT_METHODS.filter((channel) => open[channel]).map((channel) => contactMethods.names[channel]);
  return (
    <ItemRow
      id="ways"
      icon={MessageCircle}
      title={contactMethods.title}
      summary={
        contactState(open) === 'none'
          ? contactMethods.noneOpenForItem
          : texts.reachableBy(formatList(names, language.tag))
      }
      load={loadSwitches}
    >
      {(Switches, title) => (
        <Switches itemId={item.id} ownerId={item.userId} areChosen={areChosen} open={open} title={title} />
      )}
    </ItemRow>
  );
}
