import { PartyPopper } from 'lucide-react';
import { type ReactNode, type SubmitEvent, useId, useRef, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { FinderLink } from '#app/item/finder-link.tsx';
import { ItemIcon } from '#app/item/item-icon.tsx';
import { ItemTypeGrid } from '#app/item/item-type-grid.tsx';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Alert, Refusal } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import { type CatalogueItemType, ITEM_NAME_LENGTH, isUnnamed } from '#domain/item/item-catalogue.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { nameAfterTypeChange } from './name-after-type-change.ts';
import { SaveStatus, useSaveItem } from './save-item.tsx';

interface FirstVisitProps {
  readonly item: Item;
  /** What finders have written in the meantime. */
  readonly threads: ReactNode;
  /** How finders reach the owner. */
  readonly contactMethods: ReactNode;
  /** The account's address, as long as it is not confirmed. */
  readonly unconfirmedEmail: string | null;
  /** The owner wants to see the item's full page. */
  readonly onDone: () => void;
}

/**
 * The first page of an item that was tagged at registration: its name and type, its sticker, and its contact methods.
 */
export function FirstVisit({ item, threads, contactMethods, unconfirmedEmail, onDone }: FirstVisitProps) {
  const { firstVisit, item: texts, profile } = useTexts();
  const title = useRef<HTMLHeadingElement>(null);
  const needsName = isUnnamed(item.itemName);
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-6">
      <div className="flex flex-col items-center gap-4 pt-2 text-center">
        <span className="tag-pop grid size-22 -rotate-6 place-content-center rounded-xl bg-tag text-on-tag shadow-floating">
          {needsName ? (
            <PartyPopper className="size-11" aria-hidden="true" />
          ) : (
            <ItemIcon type={item.itemType} size={44} />
          )}
        </span>
        <div className="flex flex-col gap-2">
          <p className="font-medium text-primary text-sm">{texts.owner.yours}</p>
          <h1 ref={title} tabIndex={-1} className="wrap-anywhere font-bold text-3xl outline-none">
            {needsName ? firstVisit.title : <WithName of={firstVisit.namedTitle} name={item.itemName} />}
          </h1>
          <p className="text-ink-soft">
            {needsName ? <WithName of={firstVisit.lead} name={item.itemName} /> : firstVisit.namedLead}
          </p>
        </div>
      </div>
      {needsName && <NameForm item={item} onNamed={() => title.current?.focus({ preventScroll: true })} />}
      {threads}
      <Card className="flex flex-col gap-3">
        <h2 className="font-bold text-xl">{firstVisit.stickerTitle}</h2>
        <p className="text-ink-soft text-sm">{firstVisit.stickerText}</p>
        <FinderLink code={item.qrId} title={texts.owner.link} withSticker={item.voidReason === null} />
      </Card>
      {contactMethods}
      {unconfirmedEmail !== null && (
        <Alert tone="info" quiet>
          {profile.unproved(unconfirmedEmail, UNPROVED_NOTICES)}
        </Alert>
      )}
      <Button variant={needsName ? 'quiet' : 'primary'} onClick={onDone}>
        {needsName ? firstVisit.skip : firstVisit.done}
      </Button>
    </div>
  );
}

interface NameFormProps {
  readonly item: Item;
  readonly onNamed: () => void;
}

function NameForm({ item, onNamed }: NameFormProps) {
  const texts = useTexts();
  const { firstVisit, itemEditing, validation } = texts;
  const alertId = useId();
  const { save, state, isBusy } = useSaveItem(item.id);
  const [type, setType] = useState<CatalogueItemType | 'custom' | null>(null);
  const [name, setName] = useState('');
  const [isMissing, setIsMissing] = useState(false);

  const chooseType = (chosen: CatalogueItemType | 'custom') => {
    setName(chosen === 'custom' ? name : nameAfterTypeChange(name || item.itemName, type ?? 'other', chosen, texts));
    setType(chosen);
    setIsMissing(false);
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const itemName = trimBlanks(name);
    setIsMissing(itemName === '');
    if (itemName === '' || isBusy) return;
    if (await save({ itemType: type ?? 'custom', itemName })) onNamed();
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-5">
        <ItemTypeGrid chosen={type} onChoose={chooseType} describedBy={isMissing ? alertId : undefined} />
        <TextField
          label={itemEditing.name}
          placeholder={firstVisit.namePlaceholder}
          maxLength={ITEM_NAME_LENGTH}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setIsMissing(false);
          }}
        />
      </fieldset>
      <div id={alertId} className="empty:hidden">
        {isMissing && <Refusal text={validation.chooseItemType} />}
      </div>
      <SaveStatus state={state} />
      <Button type="submit" size="large" wide busy={isBusy}>
        {isBusy ? firstVisit.saving : firstVisit.save}
      </Button>
    </form>
  );
}
