import { type SubmitEvent, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { CountedTextArea } from '#app/form/counted-text-area.tsx';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { NOTE_TO_FINDERS_LENGTH } from '#domain/item/item-catalogue.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { itemPageWords } from '#words/item-page.ts';
import { RewardField } from './reward-field.tsx';
import { changesOf, SaveStatus, useSaveItem } from './save-item.tsx';

interface LostDetailsProps {
  readonly item: Item;
  readonly onClose: () => void;
}

/** What helps a finder of the lost item: where it was lost, and a reward. */
export function LostDetails({ item, onClose }: LostDetailsProps) {
  const { itemEditing } = useTexts();
  const lostMode = itemPageWords(useLanguage()).lostMode;
  const { save, state, stop, isBusy } = useSaveItem(item.id);
  const [before] = useState(item);
  const [note, setNote] = useState(item.noteToFinders ?? '');
  const [reward, setReward] = useState(item.reward ?? '');

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const now = { noteToFinders: trimMessage(note) || null, reward: trimBlanks(reward) || null };
    const change = changesOf(before, { ...before, ...now });
    if (Object.keys(change).length > 0 && !(await save(change))) return;
    showToast('success', itemEditing.saved, { about: item.id });
    onClose();
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 py-2">
      <CountedTextArea
        label={itemEditing.note}
        hint={itemEditing.noteHint}
        placeholder={lostMode.notePlaceholder}
        limit={NOTE_TO_FINDERS_LENGTH}
        value={note}
        onChange={setNote}
      />
      <RewardField value={reward} onChange={setReward} />
      <SaveStatus state={state} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy} className="flex-1">
          {isBusy ? itemEditing.saving : itemEditing.save}
        </Button>
        <Button
          variant="outline"
          className="flex-1"
          onClick={() => {
            stop();
            onClose();
          }}
        >
          {lostMode.notNow}
        </Button>
      </div>
    </form>
  );
}
