import type { Item } from '#app/lib/items.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { contactState, type OpenChannels, openChannels } from '#domain/found-item.ts';

interface UnreachableNoticeProps {
  readonly items: readonly Item[];
  /** What the account leaves open where an item does not say otherwise. */
  readonly account: OpenChannels;
}

/** Names the items that no finder can do anything about, because every way to their owner is closed. */
export function UnreachableNotice({ items, account }: UnreachableNoticeProps) {
  const { ways } = useMessages();
  const names = items
    .filter(({ channels }) => contactState(openChannels(channels, account)) === 'none')
    .map(({ itemName }) => itemName);
  if (names.length === 0) return null;
  return (
    <Alert tone="warning" quiet>
      {contactState(account) === 'none' ? ways.noneOpen : ways.noneOpenForItems(names)}
    </Alert>
  );
}
