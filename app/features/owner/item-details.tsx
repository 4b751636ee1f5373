import { Copy } from 'lucide-react';
import { ItemIcon } from '#app/lib/item-icon.tsx';
import type { Item } from '#app/lib/items.ts';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { typeName } from '#app/lib/type-name.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { formatDay } from './format-date.ts';

/** What an owner sees of an item. */
export function ItemDetails({ item }: { readonly item: Item }) {
  const messages = useMessages();
  const { owner } = messages.item;
  const { publicUrl } = usePublicConfig();
  const link = `${publicUrl}/${item.qrId.startsWith('tgt-') ? item.qrId : `?code=${item.qrId}`}`;

  const copyLink = () =>
    navigator.clipboard.writeText(link).then(
      () => showToast('success', messages.toasts.linkCopied),
      () => showToast('failure', messages.common.anErrorOccurred),
    );

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
      <Button variant="outline" onClick={() => void copyLink()}>
        <Copy className="size-5" aria-hidden="true" />
        {owner.copyLink}
      </Button>
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
