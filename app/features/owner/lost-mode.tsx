import { CircleCheck, Search } from 'lucide-react';
import { type ComponentProps, useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { AppClient } from '#app/client/app-client.ts';
import { type Item, type ItemSaveOutcome, saveItem } from '#app/data/items.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LazyPart } from '#app/item/lazy-part.tsx';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { announce } from '#app/ui/notice/announcer.tsx';
import { itemPageWords } from '#words/item-page.ts';
import { LazyTakeBackSheet } from './returned/lazy-take-back-sheet.tsx';
import type { ThankedFinder } from './returned/take-back-sheet.tsx';
import { SaveStatus, useSave } from './save-item.tsx';

/** For how long marking as lost can be undone, in milliseconds. The database tells no one else before (decision 100). */
const UNDO_MS = 5 * 60_000;

const loadDetails = loadOnce(async () => (await import('./lost-details.tsx')).LostDetails);

interface LostModeProps {
  readonly item: Item;
  /** Whom the owner can thank when it is back, the likeliest first. */
  readonly finders: readonly ThankedFinder[];
}

/** Shows whether the item is lost, and changes it with one tap. */
export function LostMode({ item, finders }: LostModeProps) {
  const lostMode = itemPageWords(useLanguage()).lostMode;
  const title = useRef<HTMLHeadingElement>(null);
  const [isDescribing, setIsDescribing] = useState(false);
  const [isBack, setIsBack] = useState(false);
  const isLost = item.lostAt !== null;
  // An undo that was begun in time is not replaced by another button.
  const [isUndoing, setIsUndoing] = useState(false);
  const isUndoable = useIsRecent(item.lostAt) || isUndoing;

  const focusTitle = () => title.current?.focus({ preventScroll: true });
  const goOn = (change: string) => {
    // The button regains the focus that it lost while the change was saved, and another takes its place.
    focusTitle();
    announce(change);
  };
  const describe = (isBegun: boolean) => {
    setIsDescribing(isBegun);
    if (!isBegun) focusTitle();
  };

  return (
    <section
      aria-labelledby="lost-state"
      className={classNames('overflow-hidden rounded-lg border', isLost ? 'border-tag' : 'border-line')}
    >
      <div
        className={classNames(
          'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3 sm:px-6',
          isLost ? 'bg-tag text-on-tag' : 'bg-surface',
        )}
      >
        <div className="min-w-0 grow basis-36">
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
        {!isLost && (
          <ChangeButton
            key="mark"
            variant="outline"
            label={lostMode.mark}
            change={(client, moment) => saveItem(client, item.id, { lostAt: moment })}
            onChanged={() => {
              setIsDescribing(true);
              goOn(lostMode.marked);
            }}
          />
        )}
        {/* In the place of the button that was pressed by mistake. */}
        {isLost && isUndoable && (
          <ChangeButton
            key="undo"
            label={lostMode.undo}
            onPressed={() => setIsUndoing(true)}
            change={(client) => saveItem(client, item.id, { lostAt: null })}
            onChanged={() => {
              setIsUndoing(false);
              goOn(lostMode.undone);
            }}
            onStopped={() => setIsUndoing(false)}
            onFocusLost={focusTitle}
          />
        )}
        {isLost && !isUndoable && (
          <Button className="after-double-tap" onClick={() => setIsBack(true)}>
            {lostMode.found}
          </Button>
        )}
      </div>
      {isLost && (
        <div className="bg-surface px-5 py-3 sm:px-6">
          <LazyPart load={loadDetails} open={isDescribing} onClose={() => describe(false)}>
            {(Details) => isDescribing && <Details item={item} onClose={() => describe(false)} />}
          </LazyPart>
          {!isDescribing && (
            <Button variant="quiet" className="-ms-4 sm:-ms-5" onClick={() => describe(true)}>
              {item.noteToFinders === null && item.reward === null ? lostMode.addDetails : lostMode.changeDetails}
            </Button>
          )}
        </div>
      )}
      <LazyTakeBackSheet
        open={isBack}
        onOpenChange={setIsBack}
        item={item}
        conversationId={null}
        finders={finders}
        onDone={() => announce(lostMode.isBack)}
        finalFocus={title}
      />
    </section>
  );
}

/** Whether this was less than `UNDO_MS` ago. It is not where the clock of the device that stored it was ahead of this one. */
function useIsRecent(moment: string | null): boolean {
  const left = moment === null ? 0 : Date.parse(moment) + UNDO_MS - Date.now();
  const isRecent = left > 0 && left <= UNDO_MS;
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0);
  useEffect(() => {
    if (!isRecent) return;
    const timer = setTimeout(lookAgain, left);
    return () => clearTimeout(timer);
  }, [isRecent, left]);
  return isRecent;
}

interface ChangeButtonProps {
  readonly variant?: ComponentProps<typeof Button>['variant'];
  readonly label: string;
  /** Called until it is saved or refused, each time with the moment of the tap (ISO 8601). */
  readonly change: (client: AppClient, moment: string) => Promise<ItemSaveOutcome>;
  readonly onPressed?: () => void;
  readonly onChanged: () => void;
  /** Called where the user no longer waits for a connection. */
  readonly onStopped?: () => void;
  /** Called where the button is removed while it has the focus. */
  readonly onFocusLost?: () => void;
}

/** Changes the state with one tap. */
function ChangeButton(props: ChangeButtonProps) {
  const { variant = 'primary', label, change, onPressed, onChanged, onStopped, onFocusLost } = props;
  const { itemEditing } = useTexts();
  const { save, stop, state, isBusy } = useSave();
  const button = useRef<HTMLButtonElement>(null);
  const loseFocus = useEffectEvent(() => onFocusLost?.());
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own !== null && own === document.activeElement) loseFocus();
    };
  }, []);

  const press = async () => {
    const moment = new Date().toISOString();
    onPressed?.();
    if (await save((client) => change(client, moment))) onChanged();
  };
  return (
    <>
      <Button ref={button} variant={variant} busy={isBusy} onClick={() => void press()} className="after-double-tap">
        {label}
      </Button>
      <div className="flex basis-full flex-col gap-2 empty:hidden">
        <SaveStatus state={state} />
        {state === 'waiting' && (
          <Button
            variant="outline"
            className="self-start"
            onClick={() => {
              stop();
              onStopped?.();
            }}
          >
            {itemEditing.cancel}
          </Button>
        )}
      </div>
    </>
  );
}
