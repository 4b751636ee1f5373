import { Pencil } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { FinderLink } from '#app/item/finder-link.tsx';
import { typeName } from '#app/item/item-type-grid.tsx';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { ItemEditor } from './item-editor.tsx';

/** Shows an item's details to its owner, and edits them in place. */
export function ItemDetails({ item }: { readonly item: Item }) {
  const { itemEditing } = useTexts();
  const [isEditing, setIsEditing] = useState(false);
  const needsName = isUnnamed(item.itemName);
  const editButton = useRef<HTMLButtonElement>(null);

  const close = () => {
    setIsEditing(false);
    // The focus returns to the button, once it is mounted again.
    requestAnimationFrame(() => editButton.current?.focus());
  };

  return (
    <Card className="flex flex-col gap-6">
      {isEditing ? (
        <ItemEditor item={item} onClose={close} />
      ) : (
        <>
          <Details item={item} />
          <div className="flex flex-col gap-6">
            <div className="flex flex-col gap-3">
              {needsName && <p>{itemEditing.nameIt}</p>}
              <Button ref={editButton} variant={needsName ? 'primary' : 'outline'} onClick={() => setIsEditing(true)}>
                <Pencil className="size-5" aria-hidden="true" />
                {itemEditing.edit}
              </Button>
            </div>
            <FinderLinkOf item={item} />
          </div>
        </>
      )}
    </Card>
  );
}

function FinderLinkOf({ item }: { readonly item: Item }) {
  const { owner } = useTexts().item;
  // Where it needs a sticker, the page offers one above.
  const withSticker = item.voidReason === null && !item.needsSticker;
  return <FinderLink code={item.qrId} title={owner.link} withSticker={withSticker} />;
}

function Details({ item }: { readonly item: Item }) {
  const texts = useTexts();
  const { owner } = texts.item;
  return (
    <>
      <h2 className="font-bold text-xl">{owner.details}</h2>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Detail name={owner.type}>{typeName(item.itemType, texts)}</Detail>
        <Detail name={owner.tagged}>{formatDay(item.createdAt)}</Detail>
        <Detail name={owner.description}>{item.description ?? owner.noDescription}</Detail>
        <Detail name={owner.code}>
          <code className="font-mono text-sm">{item.qrId}</code>
        </Detail>
        {item.reward !== null && (
          <Detail name={owner.reward} wide>
            {item.reward}
          </Detail>
        )}
        {item.noteToFinders !== null && (
          <Detail name={owner.note} wide>
            {item.noteToFinders}
          </Detail>
        )}
      </dl>
    </>
  );
}

interface DetailProps {
  readonly name: string;
  /** Takes a whole line. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Detail({ name, wide = false, children }: DetailProps) {
  return (
    <div className={classNames('min-w-0', wide && 'sm:col-span-2')}>
      <dt className="text-ink-soft text-xs">{name}</dt>
      <dd className="wrap-anywhere whitespace-pre-line">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
