import { Tag } from 'lucide-react';
import { type RefObject, type SubmitEvent, useState } from 'react';
import { type TakingBack, takeBackItem } from '#app/data/conversations.ts';
import type { Item } from '#app/data/items.ts';
import { CountedTextArea } from '#app/form/counted-text-area.tsx';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { SelectField } from '#app/ui/field/fields.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { MESSAGE_LENGTH } from '#domain/contact/count-characters.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { timeOrderedId } from '#domain/ids.ts';
import { itemPageWords } from '#words/item-page.ts';
import { SaveStatus, useSave } from '../save-item.tsx';

/** Somebody whom the owner can thank. */
export interface ThankedFinder {
  readonly conversationId: string;
  /** The finder's name on this page. */
  readonly name: string;
}

interface TakingBackProps {
  readonly item: Item;
  /** The conversation that ends; null for all about the item. */
  readonly conversationId: string | null;
  /** Whom the owner can thank, the likeliest first. */
  readonly finders: readonly ThankedFinder[];
  /** Called once the item is back. */
  readonly onDone: () => void;
}

export interface TakeBackSheetProps extends TakingBackProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly finalFocus: RefObject<HTMLElement | null>;
}

/** Asks what becomes of a found item's promises, and thanks its finder, all in one act. */
export function TakeBackSheet({ open, onOpenChange, finalFocus, ...rest }: TakeBackSheetProps) {
  const { common } = useTexts();
  const texts = itemPageWords(useLanguage()).takingBack;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={texts.title}
      closeLabel={common.close}
      finalFocus={finalFocus}
    >
      <TakingBackForm {...rest} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function TakingBackForm(props: TakingBackProps & { readonly onClose: () => void }) {
  const { item, conversationId, finders, onDone, onClose } = props;
  const texts = itemPageWords(useLanguage()).takingBack;
  const { save, stop, state, isBusy } = useSave();
  const [thanksId] = useState(timeOrderedId);
  const [finder, setFinder] = useState(finders[0] ?? null);
  const [thanks, setThanks] = useState<string>(texts.prepared);
  const [clearsNote, setClearsNote] = useState(item.noteToFinders !== null);
  const [clearsReward, setClearsReward] = useState(item.reward !== null);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const body = trimMessage(thanks);
    const decided: TakingBack = {
      conversationId,
      clearsNote,
      clearsReward,
      thanks:
        finder === null || body === ''
          ? null
          : { id: thanksId, conversationId: finder.conversationId, body: body === texts.prepared ? '' : body },
    };
    if (!(await save((client) => takeBackItem(client, item.id, decided)))) return;
    onClose();
    onDone();
  };
  const cancel = () => {
    stop();
    onClose();
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-4">
        <WhomToThank finders={finders} chosen={finder} onChoose={setFinder} />
        {finder !== null && (
          <CountedTextArea
            label={texts.thanks}
            hint={texts.thanksHint(finder.name)}
            limit={MESSAGE_LENGTH}
            value={thanks}
            onChange={setThanks}
          />
        )}
        {item.noteToFinders !== null && (
          <Clearing label={texts.clearNote} text={item.noteToFinders} checked={clearsNote} onChange={setClearsNote} />
        )}
        {item.reward !== null && (
          <Clearing label={texts.clearReward} text={item.reward} checked={clearsReward} onChange={setClearsReward} />
        )}
      </fieldset>
      <p className="flex items-center gap-3 text-ink-soft text-sm">
        <Tag className="size-5 shrink-0 text-primary" aria-hidden="true" />
        {texts.keepSticker}
      </p>
      <SaveStatus state={state} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy} className="flex-1">
          {isBusy ? texts.saving : texts.done}
        </Button>
        <Button variant="outline" onClick={cancel} className="flex-1">
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}

interface WhomToThankProps {
  readonly finders: readonly ThankedFinder[];
  readonly chosen: ThankedFinder | null;
  readonly onChoose: (finder: ThankedFinder | null) => void;
}

/** One finder is thanked or not; of several, one is chosen. */
function WhomToThank({ finders, chosen, onChoose }: WhomToThankProps) {
  const texts = itemPageWords(useLanguage()).takingBack;
  const [first, ...others] = finders;
  if (first === undefined) return null;
  if (others.length === 0) {
    return (
      <SwitchField
        label={texts.thank(first.name)}
        checked={chosen !== null}
        onChange={(isThanked) => onChoose(isThanked ? first : null)}
      />
    );
  }
  const choose = (id: string) => onChoose(finders.find(({ conversationId }) => conversationId === id) ?? null);
  return (
    <SelectField
      label={texts.finder}
      value={chosen?.conversationId ?? ''}
      onChange={({ target }) => choose(target.value)}
    >
      {finders.map(({ conversationId, name }) => (
        <option key={conversationId} value={conversationId}>
          {name}
        </option>
      ))}
      <option value="">{texts.noFinder}</option>
    </SelectField>
  );
}

interface ClearingProps {
  readonly label: string;
  /** What is cleared. */
  readonly text: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function Clearing({ label, text, checked, onChange }: ClearingProps) {
  return (
    <div className="border-line border-t pt-2 first:border-0 first:pt-0">
      <SwitchField label={label} checked={checked} onChange={onChange} />
      <p className="wrap-anywhere -mt-1 line-clamp-2 text-ink-soft text-sm">
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}
