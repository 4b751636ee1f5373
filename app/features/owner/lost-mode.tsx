import { CircleCheck, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { takeBackItem } from '#app/data/conversations.ts';
import type { Item } from '#app/data/items.ts';
import { CountedTextArea } from '#app/form/counted-text-area.tsx';
import { formatDay } from '#app/i18n/format-date.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { NOTE_TO_FINDERS_LENGTH } from '#domain/item/item-catalogue.ts';
import { RewardField } from './reward-field.tsx';
import { SaveStatus, useSave, useSaveItem } from './save-item.tsx';

/** Shows and changes whether the item is lost. */
export function LostMode({ item }: { readonly item: Item }) {
  const { lostMode } = useTexts();
  const title = useRef<HTMLHeadingElement>(null);
  const isLost = item.lostAt !== null;
  // The pressed button is gone by then. A closing dialog first returns the focus to it, hence the delay.
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
  const { lostMode } = useTexts();
  const { save, state, isBusy } = useSave();
  const takeBack = async () => {
    if (!(await save((client) => takeBackItem(client, item.id, null)))) return;
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
  const { common, lostMode, itemEditing } = useTexts();
  const { save, state, isBusy } = useSaveItem(item.id);
  const [isAsking, setIsAsking] = useState(false);
  const [note, setNote] = useState('');
  const [reward, setReward] = useState('');
  // `mark` outlives the render that it was called in.
  const isShown = useRef(false);

  const setOpen = (open: boolean) => {
    isShown.current = open;
    setIsAsking(open);
  };
  const ask = () => {
    // What could not be saved is kept.
    if (state === 'idle') {
      setNote(item.noteToFinders ?? '');
      setReward(item.reward ?? '');
    }
    setOpen(true);
  };
  const mark = async () => {
    const isSaved = await save({
      lostAt: new Date().toISOString(),
      noteToFinders: trimMessage(note) || null,
      reward: reward.trim() || null,
    });
    if (!isSaved) return;
    showToast('success', lostMode.marked, { about: item.id });
    if (!isShown.current) return;
    setOpen(false);
    onMarked();
  };

  return (
    <>
      <Button variant="outline" onClick={ask}>
        {lostMode.mark}
      </Button>
      {!isAsking && (
        <div className="basis-full empty:hidden">
          <SaveStatus state={state} />
        </div>
      )}
      <Dialog
        open={isAsking}
        // A save without a response can take any time and continues behind the closed dialog.
        onOpenChange={(open) => state === 'saving' || setOpen(open)}
        title={<WithName of={lostMode.dialogTitle} name={item.itemName} />}
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
        <RewardField value={reward} onChange={setReward} />
        <SaveStatus state={state} />
        <Button variant="tag" busy={isBusy} onClick={() => void mark()}>
          {isBusy ? lostMode.marking : lostMode.mark}
        </Button>
      </Dialog>
    </>
  );
}
