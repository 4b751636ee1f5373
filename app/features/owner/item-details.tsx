import { Pencil } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LazyPart } from '#app/item/lazy-part.tsx';
import { typeName } from '#app/item/type-name.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';

const loadEditor = loadOnce(async () => (await import('./item-editor.tsx')).ItemEditor);

interface ItemDetailsProps {
  readonly item: Item;
  /** Its picture, with controls while it is edited. */
  readonly photo: (isEditing: boolean) => ReactNode;
}

/** Shows an item's picture and details to its owner, and edits them in place. */
export function ItemDetails({ item, photo }: ItemDetailsProps) {
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
    <Card className="flex flex-col gap-6 overflow-hidden">
      {photo(isEditing)}
      {!isEditing && (
        <>
          <Details item={item} />
          <div className="flex flex-col gap-3">
            {needsName && <p>{itemEditing.nameIt}</p>}
            <Button ref={editButton} variant={needsName ? 'primary' : 'outline'} onClick={() => setIsEditing(true)}>
              <Pencil className="size-5" aria-hidden="true" />
              {itemEditing.edit}
            </Button>
          </div>
        </>
      )}
      <LazyPart load={loadEditor} open={isEditing} onClose={close}>
        {(Editor) => isEditing && <Editor item={item} onClose={close} />}
      </LazyPart>
    </Card>
  );
}

function Details({ item }: { readonly item: Item }) {
  const texts = useTexts();
  const { owner } = texts.item;
  return (
    <>
      <h2 className="sr-only">{owner.details}</h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4">
        <Detail name={owner.type}>{typeName(item.itemType, texts)}</Detail>
        <Detail name={owner.tagged}>{formatDay(item.createdAt)}</Detail>
        <Detail name={owner.description} wide>
          {item.description === null ? (
            <span className="text-ink-soft">{owner.noDescription}</span>
          ) : (
            <bdi>{item.description}</bdi>
          )}
        </Detail>
        {item.reward !== null && (
          <Detail name={owner.reward} wide>
            <bdi>{item.reward}</bdi>
          </Detail>
        )}
        {item.noteToFinders !== null && (
          <Detail name={owner.note} wide>
            <bdi>{item.noteToFinders}</bdi>
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
    <div className={classNames('min-w-0', wide && 'col-span-2')}>
      <dt className="text-ink-soft text-xs">{name}</dt>
      <dd className="wrap-anywhere whitespace-pre-line">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
