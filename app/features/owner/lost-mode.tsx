import { CircleCheck, Search } from 'lucide-react';
import {
  type ComponentProps,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { AppClient } from '#app/client/app-client.ts';
import { takeBackItem } from '#app/data/conversations.ts';
import { type Item, type ItemSaveOutcome, saveItem } from '#app/data/items.ts';
import { CountedTextArea } from '#app/form/counted-text-area.tsx';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { NOTE_TO_FINDERS_LENGTH } from '#domain/item/item-catalogue.ts';
import { inLanguage } from '#domain/texts/in-language.ts';
import { lostModeEn } from '#domain/texts/screens/items/lost-mode-en.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { RewardField } from './reward-field.tsx';
import { changesOf, SaveStatus, useSave, useSaveItem } from './save-item.tsx';

const textsOf = inLanguage({ en: lostModeEn });

/** For how long marking as lost can be undone, in milliseconds. The database tells no one else before (decision 100). */
const UNDO_MS = 5 * 60_000;

/** Shows whether the item is lost, and changes it with one tap. */
export function LostMode({ item }: { readonly item: Item }) {
  const lostMode = textsOf(useLanguage());
  const title = useRef<HTMLHeadingElement>(null);
  const [isDescribing, setIsDescribing] = useState(false);
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
          <ChangeButton
            key="back"
            label={lostMode.found}
            change={(client) => takeBackItem(client, item.id, null)}
            onChanged={() => goOn(lostMode.isBack)}
          />
        )}
      </div>
      {isLost && (
        <div className="bg-surface px-5 py-3 sm:px-6">
          {isDescribing ? (
            <LostDetails item={item} onClose={() => describe(false)} />
          ) : (
            <Button variant="quiet" className="-ms-4 sm:-ms-5" onClick={() => describe(true)}>
              {item.noteToFinders === null && item.reward === null ? lostMode.addDetails : lostMode.changeDetails}
            </Button>
          )}
        </div>
      )}
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

interface LostDetailsProps {
  readonly item: Item;
  readonly onClose: () => void;
}

/** What helps a finder of the lost item: where it was lost, and a reward. */
function LostDetails({ item, onClose }: LostDetailsProps) {
  const { itemEditing } = useTexts();
  const lostMode = textsOf(useLanguage());
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
