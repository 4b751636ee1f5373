import { type ReactNode, useId, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { TextField } from '#app/ui/field/fields.tsx';
import { Refusal } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { type CatalogueItemType, ITEM_NAME_LENGTH, type ItemType, isUnnamed } from '#domain/item/item-catalogue.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { taggingWords } from '#words/tagging.ts';
import { nameAfterTypeChange } from '../name-after-type-change.ts';
import { SaveStatus, useSaveItem } from '../save-item.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { TypeTiles } from './type-tiles.tsx';
import { useVisitTexts } from './use-visit-texts.ts';
import { keepVisitDraft, readVisitDraft } from './visit-draft.ts';

interface WhatStepProps extends StepProps {
  readonly item: Item;
  /** Shows and changes its photo. */
  readonly photo: ReactNode;
}

/** Asks for the type and the name of the item. */
export function WhatStep({ item, photo, onNext, ...frame }: WhatStepProps) {
  const texts = useTexts();
  const { tagging } = taggingWords(useLanguage());
  const visit = useVisitTexts();
  const alertId = useId();
  const { save, stop, state, isBusy } = useSaveItem(item.id);
  const needsName = isUnnamed(item.itemName);
  const [draft] = useState(() => readVisitDraft(item.id));
  const [type, setType] = useState(draft.type ?? typeOf(item));
  const [name, setName] = useState(draft.name ?? (needsName ? '' : item.itemName));
  const [isMissing, setIsMissing] = useState(false);

  const change = (typed: string, chosen: CatalogueItemType | 'custom' | null) => {
    setName(typed);
    setType(chosen);
    setIsMissing(false);
    keepVisitDraft(item.id, { name: typed, type: chosen });
  };
  const chooseType = (chosen: CatalogueItemType | 'custom') =>
    change(
      chosen === 'custom' ? name : nameAfterTypeChange(name || item.itemName, type ?? 'other', chosen, texts),
      chosen,
    );

  const submit = async () => {
    const itemName = trimBlanks(name);
    const itemType: ItemType = type ?? 'custom';
    setIsMissing(itemName === '');
    if (itemName === '') return;
    const isSaved = itemName === item.itemName && itemType === item.itemType;
    if (!isSaved && !(await save({ itemType, itemName }))) return;
    keepVisitDraft(item.id, { name: undefined, type: undefined });
    onNext();
  };
  const skip = () => {
    stop();
    onNext();
  };

  return (
    <StepFrame
      {...frame}
      title={needsName ? visit.what.title : visit.what.namedTitle}
      lead={needsName ? <WithName of={visit.what.lead} name={item.itemName} /> : tagging.lead}
      action={visit.next}
      busy={isBusy}
      onSubmit={() => void submit()}
      onSkip={skip}
    >
      <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-4 sm:gap-5">
        <TypeTiles chosen={type} onChoose={chooseType} describedBy={isMissing ? alertId : undefined} />
        <TextField
          label={texts.itemEditing.name}
          placeholder={visit.what.namePlaceholder}
          maxLength={ITEM_NAME_LENGTH}
          autoComplete="off"
          autoCapitalize="sentences"
          enterKeyHint="next"
          value={name}
          onChange={(event) => change(event.target.value, type)}
        />
      </fieldset>
      <div id={alertId} className="empty:hidden">
        {isMissing && <Refusal text={texts.validation.chooseItemType} />}
      </div>
      <SaveStatus state={state} />
      <div className="flex flex-col gap-1.5">
        {photo}
        <p className="text-ink-soft text-xs">{visit.what.photoHint}</p>
      </div>
    </StepFrame>
  );
}

/** An item tagged at registration has no type yet. */
function typeOf({ itemType }: Item): CatalogueItemType | 'custom' | null {
  return itemType === 'other' ? null : itemType;
}
