import { Search } from 'lucide-react';
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { useFoundItems } from '#app/item/use-found-items.ts';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { inputLook } from '#app/ui/field/field.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { useShortcut } from '#app/ui/use-shortcut.ts';
import { dashboardWords } from '#words/dashboard.ts';
import { chooseItems, type ItemChoice, ItemChoices } from './item-choices.tsx';
import { ItemGrid, type ItemGridProps, orderItems } from './item-grid.tsx';

/** What was searched last, for the way back from an item. */
const last = { typed: '', choice: 'all' as ItemChoice };

/** The items of an owner with many, with a search and with buttons for those that need something. */
export function ItemFinder({ items, unread, waiting, onTagNew }: ItemGridProps) {
  const texts = dashboardWords(useLanguage()).itemFinder;
  const [typed, setTyped] = useState(last.typed);
  const [choice, setChoice] = useState(last.choice);
  const field = useRef<HTMLInputElement>(null);
  const hint = useId();
  useEffect(() => {
    last.typed = typed;
    last.choice = choice;
  }, [typed, choice]);
  useShortcut('/', () => field.current?.focus());

  const chosen = chooseItems({ items, unread, waiting });
  // What there is none of anymore is shown no longer.
  const shown = chosen[choice].length === 0 ? 'all' : choice;
  const found = useFoundItems(orderItems(chosen[shown], unread), useDeferredValue(typed));
  const isNarrowed = found.length < items.length;
  useEffect(() => {
    if (isNarrowed) announce(texts.found(found.length));
  }, [isNarrowed, found.length, texts]);
  const showAll = () => {
    setTyped('');
    setChoice('all');
  };

  return (
    <div className="flex flex-col gap-3 sm:gap-4">
      <search className="flex flex-col gap-3">
        <div className="flex flex-col gap-1.5">
          <div className="relative">
            <Search
              className="pointer-events-none absolute inset-y-0 start-4 my-auto size-5 text-ink-soft"
              aria-hidden="true"
            />
            <input
              ref={field}
              type="search"
              aria-label={texts.search}
              aria-describedby={hint}
              placeholder={texts.search}
              enterKeyHint="search"
              autoComplete="off"
              aria-keyshortcuts="/"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              className={classNames(inputLook(false), 'ps-12!')}
            />
          </div>
          <p id={hint} className="text-ink-soft text-xs max-sm:sr-only">
            {texts.hint}
          </p>
        </div>
        <ItemChoices chosen={chosen} shown={shown} onChoose={setChoice} />
      </search>
      {found.length === 0 ? (
        <div className="flex flex-col items-center gap-4 rounded-xl border-2 border-line border-dashed px-6 py-14 text-center">
          <h2 className="font-bold text-xl">{texts.nothingTitle}</h2>
          <Button variant="outline" onClick={showAll}>
            {texts.showAll}
          </Button>
        </div>
      ) : (
        <ItemGrid items={found} unread={unread} onTagNew={onTagNew} isOrdered />
      )}
    </div>
  );
}
