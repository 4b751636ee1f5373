import { Pencil } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { FinderLink } from '#app/lib/finder-link.tsx';
import { formatDay } from '#app/lib/format-date.ts';
import type { Item } from '#app/lib/items.ts';
import { typeName } from '#app/lib/type-name.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { isUnnamed } from '#domain/item-catalogue.ts';
import { ItemEditor } from './item-editor.tsx';

/** What an owner sees of an item, and changes in the same place. */
export function ItemDetails({ item }: { readonly item: Item }) {
  const { itemEditing } = useMessages();
  const [isEditing, setIsEditing] = useState(false);
  const needsName = isUnnamed(item.itemName);
  const editButton = useRef<HTMLButtonElement>(null);

  const close = () => {
    setIsEditing(false);
    // Where the focus came from, once it is there again.
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
  const { owner } = useMessages().item;
  return <FinderLink code={item.qrId} title={owner.link} />;
}

function Details({ item }: { readonly item: Item }) {
  const messages = useMessages();
  const { owner } = messages.item;
  return (
    <>
      <h2 className="font-bold text-xl">{owner.details}</h2>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Detail name={owner.type}>{typeName(item.itemType, messages)}</Detail>
        <Detail name={owner.tagged}>{formatDay(item.createdAt)}</Detail>
        <Detail name={owner.description}>{item.description ?? owner.noDescription}</Detail>
        <Detail name={owner.code}>
          <code className="font-mono text-sm">{item.qrId}</code>
        </Detail>
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
  /** Takes a line of its own. */
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
