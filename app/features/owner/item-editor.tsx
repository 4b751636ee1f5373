import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { CountedTextArea } from '#app/form/counted-text-area.tsx';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { ItemTypeGrid } from '#app/item/item-type-grid.tsx';
import { TextAreaField, TextField } from '#app/ui/field/fields.tsx';
import { FormActions } from '#app/ui/field/form.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { trimMessage } from '#domain/contact/trim-message.ts';
import {
  type CatalogueItemType,
  ITEM_DESCRIPTION_LENGTH,
  ITEM_NAME_LENGTH,
  type ItemType,
  NOTE_TO_FINDERS_LENGTH,
} from '#domain/item/item-catalogue.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { taggingWords } from '#words/tagging.ts';
import { nameAfterTypeChange } from './name-after-type-change.ts';
import { RewardField } from './reward-field.tsx';
import { changesOf, SaveStatus, useSaveItem } from './save-item.tsx';

interface ItemEditorProps {
  readonly item: Item;
  /** Called when it was saved or canceled. */
  readonly onClose: () => void;
}

/** Edits an item's type and texts. */
export function ItemEditor({ item, onClose }: ItemEditorProps) {
  const texts = useTexts();
  const { itemEditing } = texts;
  const { tagging } = taggingWords(useLanguage());
  const { save, stop, state, isBusy } = useSaveItem(item.id);
  const [before] = useState(item);
  const [type, setType] = useState<ItemType>(item.itemType);
  const [name, setName] = useState(item.itemName);
  const [description, setDescription] = useState(item.description ?? '');
  const [note, setNote] = useState(item.noteToFinders ?? '');
  const [reward, setReward] = useState(item.reward ?? '');
  const [isNameMissing, setIsNameMissing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const chooseType = (chosen: CatalogueItemType | 'custom') => {
    setName(nameAfterTypeChange(name, type, chosen, texts));
    setType(chosen);
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const itemName = trimBlanks(name);
    setIsNameMissing(itemName === '');
    if (itemName === '' || isBusy) return;
    const change = changesOf(before, {
      itemType: type,
      itemName,
      description: trimBlanks(description) || null,
      noteToFinders: trimMessage(note) || null,
      reward: trimBlanks(reward) || null,
    });
    if (Object.keys(change).length > 0 && !(await save(change))) return;
    showToast('success', itemEditing.saved, { about: item.id });
    onClose();
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-6">
      <h2 ref={heading} tabIndex={-1} className="font-bold text-xl">
        {itemEditing.title}
      </h2>
      <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-5">
        <ItemTypeGrid chosen={type === 'other' ? null : type} onChoose={chooseType} describedBy={undefined} />
        <TextField
          label={itemEditing.name}
          error={isNameMissing ? itemEditing.nameRequired : undefined}
          maxLength={ITEM_NAME_LENGTH}
          autoComplete="off"
          enterKeyHint="next"
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setIsNameMissing(false);
          }}
        />
        <TextAreaField
          label={tagging.description}
          hint={tagging.descriptionHint}
          maxLength={ITEM_DESCRIPTION_LENGTH}
          autoComplete="off"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <CountedTextArea
          label={itemEditing.note}
          hint={itemEditing.noteHint}
          limit={NOTE_TO_FINDERS_LENGTH}
          value={note}
          onChange={setNote}
        />
        <RewardField value={reward} onChange={setReward} />
      </fieldset>
      <SaveStatus state={state} />
      <FormActions
        busy={isBusy}
        action={itemEditing.save}
        acting={itemEditing.saving}
        cancel={itemEditing.cancel}
        canStop
        onCancel={() => {
          stop();
          onClose();
        }}
      />
    </form>
  );
}
