import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { CountedTextArea } from '#app/lib/counted-text-area.tsx';
import { ItemTypeGrid } from '#app/lib/item-type-grid.tsx';
import type { Item } from '#app/lib/items.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { FormActions } from '#app/ui/form-actions.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import {
  type CatalogueItemType,
  ITEM_DESCRIPTION_LENGTH,
  ITEM_NAME_LENGTH,
  type ItemType,
  NOTE_TO_FINDERS_LENGTH,
} from '#domain/item-catalogue.ts';
import { trimMessage } from '#domain/trim-message.ts';
import { changesOf } from './changes-of.ts';
import { nameAfterTypeChange } from './name-after-type-change.ts';
import { SaveStatus } from './save-status.tsx';
import { useSaveItem } from './use-save-item.ts';

interface ItemEditorProps {
  readonly item: Item;
  /** It is saved, or is to stay as it was. */
  readonly onClose: () => void;
}

/** Changes what an item is and says. */
export function ItemEditor({ item, onClose }: ItemEditorProps) {
  const messages = useMessages();
  const { itemEditing: texts, tagging } = messages;
  const { save, state, isBusy } = useSaveItem(item.id);
  const [before] = useState(item);
  const [type, setType] = useState<ItemType>(item.itemType);
  const [name, setName] = useState(item.itemName);
  const [description, setDescription] = useState(item.description ?? '');
  const [note, setNote] = useState(item.noteToFinders ?? '');
  const [isNameMissing, setIsNameMissing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const chooseType = (chosen: CatalogueItemType | 'custom') => {
    setName(nameAfterTypeChange(name, type, chosen, messages));
    setType(chosen);
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const itemName = name.trim();
    setIsNameMissing(itemName === '');
    if (itemName === '' || isBusy) return;
    const change = changesOf(before, {
      itemType: type,
      itemName,
      description: description.trim() || null,
      noteToFinders: trimMessage(note) || null,
    });
    if (Object.keys(change).length > 0 && !(await save(change))) return;
    showToast('success', texts.saved, { about: item.id });
    onClose();
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-6">
      <h2 ref={heading} tabIndex={-1} className="font-bold text-xl">
        {texts.title}
      </h2>
      <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-5">
        <ItemTypeGrid chosen={type === 'other' ? null : type} onChoose={chooseType} describedBy={undefined} />
        <TextField
          label={texts.name}
          error={isNameMissing ? texts.nameRequired : undefined}
          maxLength={ITEM_NAME_LENGTH}
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
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <CountedTextArea
          label={texts.note}
          hint={texts.noteHint}
          limit={NOTE_TO_FINDERS_LENGTH}
          value={note}
          onChange={setNote}
        />
      </fieldset>
      <SaveStatus state={state} />
      <FormActions busy={isBusy} action={texts.save} acting={texts.saving} cancel={texts.cancel} onCancel={onClose} />
    </form>
  );
}
