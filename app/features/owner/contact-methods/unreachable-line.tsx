import type { Item } from '#app/data/items.ts';
import { formatList } from '#app/i18n/format-list.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { contactState, type OpenContactMethods, openContactMethods } from '#domain/contact/contact-methods.ts';
import { isolateName } from '#domain/isolate-name.ts';

interface UnreachableLineProps {
  /** At least one. */
  readonly items: readonly [Item, ...Item[]];
  /** The account's contact methods, which apply to items without their own settings. */
  readonly account: OpenContactMethods;
}

/** Names the items for which every contact method is closed, with a link to change that. */
export function UnreachableLine({ items, account }: UnreachableLineProps) {
  const {
    tag,
    texts: { contactMethods },
  } = useLanguage();
  const isAccount = contactState(account) === 'none';
  return (
    <QuietLine>
      <p>
        {isAccount
          ? contactMethods.noneOpen
          : contactMethods.noneOpenForItems(
              formatList(
                items.map(({ itemName }) => isolateName(itemName)),
                tag,
                'disjunction',
              ),
            )}
      </p>
      <LinkButton
        variant="quiet"
        className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0"
        to={isAccount ? '/profile/finders' : `/item/${items[0].qrId}#ways`}
      >
        {contactMethods.turnOn}
      </LinkButton>
    </QuietLine>
  );
}

/** Returns the items whose owner no finder can reach, because every contact method is closed. */
export function findUnreachable(items: readonly Item[], account: OpenContactMethods): readonly Item[] {
  return items.filter(({ channels }) => contactState(openContactMethods(channels, account)) === 'none');
}
