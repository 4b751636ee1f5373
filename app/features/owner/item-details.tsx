import { FinderLink } from '#app/lib/finder-link.tsx';
import { formatDay } from '#app/lib/format-date.ts';
import { ItemIcon } from '#app/lib/item-icon.tsx';
import type { Item } from '#app/lib/items.ts';
import { typeName } from '#app/lib/type-name.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Card } from '#app/ui/card.tsx';

/** What an owner sees of an item. */
export function ItemDetails({ item }: { readonly item: Item }) {
  const messages = useMessages();
  const { owner } = messages.item;

  return (
    <Card className="flex flex-col gap-6">
      <div className="flex items-center gap-4">
        <span className="grid size-16 shrink-0 place-content-center rounded-lg bg-primary-soft text-primary">
          <ItemIcon type={item.itemType} size={32} />
        </span>
        <div className="min-w-0">
          <p className="font-medium text-primary text-sm">{owner.yours}</p>
          <h1 className="wrap-anywhere font-bold text-2xl">{item.itemName}</h1>
        </div>
      </div>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Detail name={owner.type}>{typeName(item.itemType, messages)}</Detail>
        <Detail name={owner.tagged}>{formatDay(item.createdAt)}</Detail>
        <Detail name={owner.description}>{item.description ?? owner.noDescription}</Detail>
        <Detail name={owner.code}>
          <code className="font-mono text-sm">{item.qrId}</code>
        </Detail>
      </dl>
      <FinderLink code={item.qrId} title={owner.link} />
    </Card>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft text-xs">{name}</dt>
      <dd className="wrap-anywhere whitespace-pre-line">{children}</dd>
    </div>
  );
}
