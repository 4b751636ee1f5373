import { Combobox } from '@base-ui/react/combobox';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { inputLook } from './field.tsx';

interface SearchSelectProps<Option> {
  readonly options: readonly Option[];
  readonly value: Option;
  readonly onChange: (option: Option) => void;
  /** What is typed in the search field, and what it finds. */
  readonly onSearch: (query: string) => void;
  readonly found: readonly Option[];
  /** Distinguishes the options. */
  readonly keyOf: (option: Option) => string;
  /** The option as text, for the browser and assistive technology. */
  readonly nameOf: (option: Option) => string;
  /** The button that shows the selected option and opens the list. */
  readonly trigger: { readonly label: string; readonly className: string; readonly content: ReactNode };
  readonly searchLabel: string;
  readonly placeholder?: string;
  /** Shown where nothing is found. */
  readonly nothingFound: string;
  /** What a row of the list shows. */
  readonly children: (option: Option) => ReactNode;
}

/** A selection from a long list, with a search field above it. */
export function SearchSelect<Option>({
  options,
  value,
  onChange,
  onSearch,
  found,
  keyOf,
  nameOf,
  trigger,
  searchLabel,
  placeholder = searchLabel,
  nothingFound,
  children,
}: SearchSelectProps<Option>) {
  return (
    <Combobox.Root
      items={options}
      filteredItems={found}
      onInputValueChange={onSearch}
      value={value}
      onValueChange={(option) => option && onChange(option)}
      autoHighlight
      onOpenChange={(open, details) => {
        // Enter without a selection would close the list and keep an option that the user did not mean.
        const choseNothing = details.reason === 'none' && details.event instanceof KeyboardEvent;
        if (!open && choseNothing) details.cancel();
      }}
      isItemEqualToValue={(one, other) => keyOf(one) === keyOf(other)}
      itemToStringLabel={nameOf}
    >
      <Combobox.Trigger aria-label={trigger.label} className={trigger.className}>
        {trigger.content}
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={6} className="z-50">
          <Combobox.Popup
            aria-label={searchLabel}
            className="flex max-h-[min(28rem,var(--available-height))] w-[max(var(--anchor-width),min(22rem,calc(100vw-2rem)))] flex-col rounded-md border border-line bg-surface text-ink shadow-floating"
          >
            <div className="p-2">
              <Combobox.Input
                enterKeyHint="done"
                placeholder={placeholder}
                aria-label={searchLabel}
                className={inputLook(false)}
              />
            </div>
            <Combobox.Empty className="px-4 text-ink-soft text-sm not-empty:py-3">{nothingFound}</Combobox.Empty>
            <Combobox.List className="overflow-y-auto overscroll-contain pb-2">
              {(option: Option) => (
                <Combobox.Item
                  key={keyOf(option)}
                  value={option}
                  className="flex min-h-11 cursor-default items-center gap-3 px-4 py-1.5 data-highlighted:bg-primary-soft"
                >
                  {children(option)}
                  <Combobox.ItemIndicator>
                    <Check className="size-4 text-primary" aria-hidden="true" />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
