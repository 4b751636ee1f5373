import { useDeferredValue, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { findItems } from '#app/item/find-items.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { inLanguage } from '#domain/texts/in-language.ts';
import { itemFinderEn } from '#domain/texts/screens/items/item-finder-en.ts';
import { ItemGrid, type ItemGridProps } from './item-grid.tsx';

const textsOf = inLanguage({ en: itemFinderEn });

const CHOICES = ['all', 'withNews', 'lost', 'needSticker'] as const;
type Choice = (typeof CHOICES)[number];

/** What was searched last, for the way back from an item. */
const last = { typed: '', choice: 'all' as Choice };

/** The items of an owner with many, with a search and with buttons for those that need something. */
export function ItemFinder({ items, unread, onTagNew }: ItemGridProps) {
  const texts = textsOf(useLanguage());
  const [typed, setTyped] = useState(last.typed);
  const [choice, setChoice] = useState(last.choice);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    last.typed = typed;
    last.choice = choice;
  }, [typed, choice]);
  useSlashKey(() => field.current?.querySelector('input')?.focus());

  const chosen: Readonly<Record<Choice, readonly Item[]>> = {
    all: items,
    withNews: items.filter(({ id }) => unread.has(id)),
    lost: items.filter(({ lostAt }) => lostAt !== null),
    needSticker: items.filter(({ needsSticker }) => needsSticker),
  };
  // What there is none of anymore is shown no longer.
  const shown = chosen[choice].length === 0 ? 'all' : choice;
  const found = findItems(chosen[shown], useDeferredValue(typed));
  const isNarrowed = found.length < items.length;
  useEffect(() => {
    if (isNarrowed) announce(texts.found(found.length));
  }, [isNarrowed, found.length, texts]);
  const showAll = () => {
    setTyped('');
    setChoice('all');
  };

  const labels: Readonly<Record<Choice, string>> = {
    all: texts.all,
    withNews: texts.withNews(chosen.withNews.length),
    lost: texts.lost(chosen.lost.length),
    needSticker: texts.needSticker(chosen.needSticker.length),
  };
  const choices = CHOICES.filter((one) => chosen[one].length > 0);
  return (
    <div className="flex flex-col gap-4">
      <search className="flex flex-col gap-3">
        <div ref={field}>
          <TextField
            label={texts.search}
            hint={texts.hint}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            aria-keyshortcuts="/"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        {choices.length > 1 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields that are sent.
          <div role="group" aria-label={texts.show} className="flex flex-wrap gap-2">
            {choices.map((one) => (
              <Button
                key={one}
                variant={one === shown ? 'primary' : 'outline'}
                aria-pressed={one === shown}
                className="min-h-11! rounded-full! px-4! text-sm!"
                onClick={() => setChoice(one)}
              >
                {labels[one]}
              </Button>
            ))}
          </div>
        )}
      </search>
      {found.length === 0 ? (
        <div className="flex flex-col items-center gap-4 rounded-xl border-2 border-line border-dashed px-6 py-14 text-center">
          <h2 className="font-bold text-xl">{texts.nothingTitle}</h2>
          <Button variant="outline" onClick={showAll}>
            {texts.showAll}
          </Button>
        </div>
      ) : (
        <ItemGrid items={found} unread={unread} onTagNew={onTagNew} />
      )}
    </div>
  );
}

/** Calls back for `/` where it is typed into no field. */
function useSlashKey(onSlash: () => void): void {
  const callback = useEffectEvent(onSlash);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const { activeElement } = document;
      if (
        activeElement?.matches('input, textarea, select, [contenteditable]') ||
        document.querySelector('dialog[open], [role=dialog]')
      )
        return;
      event.preventDefault();
      callback();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
