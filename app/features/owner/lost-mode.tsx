import { useState } from 'react';
import { CountedTextArea } from '#app/lib/counted-text-area.tsx';
import { formatDay } from '#app/lib/format-date.ts';
import type { Item } from '#app/lib/items.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { NOTE_TO_FINDERS_LENGTH } from '#domain/item-catalogue.ts';
import { trimMessage } from '#domain/trim-message.ts';
import { SaveStatus } from './save-status.tsx';
import { useSaveItem } from './use-save-item.ts';

/** Says that the item is lost, or that it is back. */
export function LostMode({ item }: { readonly item: Item }) {
  const { lostMode } = useMessages();
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="font-bold text-xl">{item.lostAt === null ? lostMode.title : lostMode.lostTitle}</h2>
      {item.lostAt === null ? <MarkAsLost item={item} /> : <IsLost item={item} since={item.lostAt} />}
    </Card>
  );
}

function IsLost({ item, since }: { readonly item: Item; readonly since: string }) {
  const { lostMode } = useMessages();
  const { save, state, isBusy } = useSaveItem(item.id);
  const takeBack = async () => {
    if (await save({ lostAt: null })) showToast('success', lostMode.isBack, { about: item.id });
  };
  return (
    <>
      <p className="rounded-md bg-tag px-4 py-3 font-medium text-on-tag text-sm">
        {lostMode.lostSince(formatDay(since))}
      </p>
      <SaveStatus state={state} />
      <Button busy={isBusy} onClick={() => void takeBack()}>
        {lostMode.found}
      </Button>
    </>
  );
}

function MarkAsLost({ item }: { readonly item: Item }) {
  const { common, lostMode, itemEditing } = useMessages();
  const { save, state, isBusy } = useSaveItem(item.id);
  const [isAsking, setIsAsking] = useState(false);
  const [note, setNote] = useState('');

  const ask = () => {
    setNote(item.noteToFinders ?? '');
    setIsAsking(true);
  };
  const mark = async () => {
    const isSaved = await save({ lostAt: new Date().toISOString(), noteToFinders: trimMessage(note) || null });
    if (!isSaved) return;
    setIsAsking(false);
    showToast('success', lostMode.marked, { about: item.id });
  };

  return (
    <>
      <p className="text-ink-soft">{lostMode.text}</p>
      <Button variant="outline" onClick={ask}>
        {lostMode.mark}
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={(open) => isBusy || setIsAsking(open)}
        title={lostMode.dialogTitle(item.itemName)}
        closeLabel={common.close}
      >
        <CountedTextArea
          label={lostMode.dialogNote}
          hint={itemEditing.noteHint}
          placeholder={lostMode.dialogPlaceholder}
          limit={NOTE_TO_FINDERS_LENGTH}
          value={note}
          onChange={setNote}
        />
        <SaveStatus state={state} />
        <Button variant="tag" busy={isBusy} onClick={() => void mark()}>
          {isBusy ? lostMode.marking : lostMode.mark}
        </Button>
      </Dialog>
    </>
  );
}
