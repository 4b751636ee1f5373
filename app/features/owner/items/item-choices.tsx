import type { Item } from '#app/data/items.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { dashboardWords } from '#words/dashboard.ts';
import type { ItemGridProps } from './item-grid.tsx';

const CHOICES = ['all', 'withNews', 'waiting', 'lost', 'needSticker'] as const;

/** Some of the owner's items: all, or those that need something. */
export type ItemChoice = (typeof CHOICES)[number];

/** The items of each choice. */
export type ChosenItems = Readonly<Record<ItemChoice, readonly Item[]>>;

/** Returns the items of each choice. */
export function chooseItems({ items, unread, waiting }: Omit<ItemGridProps, 'onTagNew'>): ChosenItems {
  return {
    all: items,
    withNews: items.filter(({ id }) => unread.has(id)),
    waiting: items.filter(({ id }) => waiting.has(id)),
    lost: items.filter(({ lostAt }) => lostAt !== null),
    needSticker: items.filter(({ needsSticker }) => needsSticker),
  };
}

interface ItemChoicesProps {
  readonly chosen: ChosenItems;
  readonly shown: ItemChoice;
  readonly onChoose: (choice: ItemChoice) => void;
}

/** A button for each choice that has items, where there is more than one. */
export function ItemChoices({ chosen, shown, onChoose }: ItemChoicesProps) {
  const texts = dashboardWords(useLanguage()).itemFinder;
  const choices = CHOICES.filter((one) => chosen[one].length > 0);
  if (choices.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields that are sent.
    <div
      role="group"
      aria-label={texts.show}
      className="-m-1 flex gap-2 p-1 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 sm:flex-wrap"
    >
      {choices.map((one) => (
        <Button
          key={one}
          variant={one === shown ? 'primary' : 'outline'}
          aria-pressed={one === shown}
          className="min-h-11! shrink-0 whitespace-nowrap rounded-full! px-4! text-sm!"
          onClick={() => onChoose(one)}
        >
          {one === 'all' ? texts.all : texts[one](chosen[one].length)}
        </Button>
      ))}
    </div>
  );
}
