import type { Item } from '#app/lib/items.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/quiet-line.tsx';
import { contactState, type OpenChannels } from '#domain/found-item.ts';

interface UnreachableLineProps {
  /** At least one. */
  readonly items: readonly [Item, ...Item[]];
  /** What the account leaves open where an item does not say otherwise. */
  readonly account: OpenChannels;
}

/** Names the items about which no finder can reach their owner, and leads to where that is changed. */
export function UnreachableLine({ items, account }: UnreachableLineProps) {
  const { ways } = useMessages();
  const isAccount = contactState(account) === 'none';
  return (
    <QuietLine>
      <p className="py-2">{isAccount ? ways.noneOpen : ways.noneOpenForItems(items.map(({ itemName }) => itemName))}</p>
      <LinkButton
        variant="quiet"
        className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0"
        to={isAccount ? '/profile' : `/item/${items[0].qrId}#ways`}
      >
        {ways.turnOn}
      </LinkButton>
    </QuietLine>
  );
}
