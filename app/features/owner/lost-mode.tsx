import { useRef, useState } from 'react';
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
  const title = useRef<HTMLHeadingElement>(null);
  // What was pressed is gone by then. A dialog that closes gives the focus back first, to what is no longer there.
  const goOn = () => requestAnimationFrame(() => title.current?.focus({ preventScroll: true }));
  return (
    <Card className="flex flex-col gap-4">
      <h2 ref={title} tabIndex={-1} className="font-bold text-xl">
        {item.lostAt === null ? lostMode.title : lostMode.lostTitle}
      </h2>
      {item.lostAt === null ? (
        <MarkAsLost item={item} onMarked={goOn} />
      ) : (
        <IsLost item={item} since={item.lostAt} onBack={goOn} />
      )}
    </Card>
  );
}

interface IsLostProps {
  readonly item: Item;
  readonly since: string;
  readonly onBack: () => void;
}

function IsLost({ item, since, onBack }: IsLostProps) {
  const { lostMode } = useMessages();
  const { save, state, isBusy } = useSaveItem(item.id);
  const takeBack = async () => {
    if (!(await save({ lostAt: null }))) return;
    showToast('success', lostMode.isBack, { about: item.id });
    onBack();
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

function MarkAsLost({ item, onMarked }: { readonly item: Item; readonly onMarked: () => void }) {
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
    onMarked();
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
