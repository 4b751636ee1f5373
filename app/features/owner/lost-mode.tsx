import { CircleCheck, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { CountedTextArea } from '#app/lib/counted-text-area.tsx';
import { formatDay } from '#app/lib/format-date.ts';
import type { Item } from '#app/lib/items.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { NOTE_TO_FINDERS_LENGTH } from '#domain/item-catalogue.ts';
import { trimMessage } from '#domain/trim-message.ts';
import { SaveStatus } from './save-status.tsx';
import { useSaveItem } from './use-save-item.ts';

/** Says whether the item is lost, and changes it. */
export function LostMode({ item }: { readonly item: Item }) {
  const { lostMode } = useMessages();
  const title = useRef<HTMLHeadingElement>(null);
  const isLost = item.lostAt !== null;
  // What was pressed is gone by then. A dialog that closes gives the focus back first, to what is no longer there.
  const goOn = () => requestAnimationFrame(() => title.current?.focus({ preventScroll: true }));
  return (
    <section
      aria-labelledby="lost-state"
      className={classNames(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border px-5 py-3 sm:px-6',
        isLost ? 'border-tag bg-tag text-on-tag' : 'border-line bg-surface',
      )}
    >
      <div className="min-w-0 flex-1">
        <h2 id="lost-state" ref={title} tabIndex={-1} className="flex items-center gap-2 font-semibold text-lg">
          {isLost ? (
            <Search className="size-5 shrink-0" aria-hidden="true" />
          ) : (
            <CircleCheck className="size-5 shrink-0 text-primary" aria-hidden="true" />
          )}
          {isLost ? lostMode.lostTitle : lostMode.notLost}
        </h2>
        {item.lostAt !== null && <p className="text-sm">{lostMode.lostSince(formatDay(item.lostAt))}</p>}
      </div>
      {isLost ? <TakeBack item={item} onBack={goOn} /> : <MarkAsLost item={item} onMarked={goOn} />}
    </section>
  );
}

interface TakeBackProps {
  readonly item: Item;
  readonly onBack: () => void;
}

function TakeBack({ item, onBack }: TakeBackProps) {
  const { lostMode } = useMessages();
  const { save, state, isBusy } = useSaveItem(item.id);
  const takeBack = async () => {
    if (!(await save({ lostAt: null }))) return;
    showToast('success', lostMode.isBack, { about: item.id });
    onBack();
  };
  return (
    <>
      <Button busy={isBusy} onClick={() => void takeBack()}>
        {lostMode.found}
      </Button>
      <div className="basis-full empty:hidden">
        <SaveStatus state={state} />
      </div>
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
