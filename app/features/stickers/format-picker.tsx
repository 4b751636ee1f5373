import { Combobox } from '@base-ui/react/combobox';
import { Check, ChevronDown, Search } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import { inputLook } from '#app/ui/field/field.tsx';
import { findLabelFormats, type LabelFormat } from '#domain/stickers/label-formats.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { useStickerTexts } from './use-sticker-texts.ts';

interface FormatPickerProps {
  readonly value: LabelFormat;
  readonly onChange: (format: LabelFormat) => void;
}

/** Selects a label format, searchable by brand and by any of the maker's numbers. */
export function FormatPicker({ value, onChange }: FormatPickerProps) {
  const texts = useStickerTexts();
  const [query, setQuery] = useState('');
  const found = findLabelFormats(query);
  const nameOf = ({ brand, parts }: LabelFormat, searched: string) => texts.formatName(brand, partFor(parts, searched));
  const detailsOf = (format: LabelFormat) => texts.formatDetails(format, cellsPerPage(format));
  return (
    <div className="flex flex-col gap-1.5">
      <Combobox.Root
        items={found}
        filteredItems={found}
        onInputValueChange={setQuery}
        value={value}
        onValueChange={(format) => format && onChange(format)}
        autoHighlight
        isItemEqualToValue={(one, other) => one.id === other.id}
        itemToStringLabel={(format) => nameOf(format, query)}
      >
        <Combobox.Trigger
          aria-label={texts.formatChosen(nameOf(value, ''), detailsOf(value))}
          className={classNames(inputLook(false), 'flex items-center gap-3 text-start')}
        >
          <Search className="size-5 shrink-0 text-ink-soft" aria-hidden="true" />
          <span className="flex min-w-0 flex-1 flex-col leading-snug">
            <span className="font-semibold">
              <bdi>{nameOf(value, '')}</bdi>
            </span>
            <span className="text-ink-soft text-sm">{detailsOf(value)}</span>
          </span>
          <ChevronDown className="size-5 shrink-0 text-ink-soft" aria-hidden="true" />
        </Combobox.Trigger>
        <Combobox.Portal>
          <Combobox.Positioner align="start" sideOffset={6} className="z-50">
            <Combobox.Popup
              aria-label={texts.formatSearch}
              className="flex max-h-[min(28rem,var(--available-height))] w-[max(var(--anchor-width),min(22rem,calc(100vw-2rem)))] flex-col rounded-md border border-line bg-surface text-ink shadow-floating"
            >
              <div className="p-2">
                <Combobox.Input
                  placeholder={texts.formatExample}
                  aria-label={texts.formatSearch}
                  className={inputLook(false)}
                />
              </div>
              <Combobox.Empty className="px-4 text-ink-soft text-sm not-empty:py-3">{texts.formatNone}</Combobox.Empty>
              <Combobox.List className="overflow-y-auto overscroll-contain pb-2">
                {(format: LabelFormat) => (
                  <Combobox.Item
                    key={format.id}
                    value={format}
                    className="flex min-h-12 cursor-default items-center gap-3 px-4 py-1.5 data-highlighted:bg-primary-soft"
                  >
                    <span className="flex min-w-0 flex-1 flex-col leading-snug">
                      <span className="font-medium">
                        <bdi>{nameOf(format, query)}</bdi>
                      </span>
                      <span className="text-ink-soft text-sm">{detailsOf(format)}</span>
                    </span>
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
      <p className="text-ink-soft text-xs">{texts.formatHint}</p>
    </div>
  );
}

/** Returns the number that was searched for, or the first: labels of one geometry are sold under many numbers. */
function partFor(parts: readonly string[], searched: string): string {
  const words = searched.toLowerCase().split(/\s+/).filter(Boolean);
  const isNamed = (part: string) => words.includes(part.toLowerCase());
  const isBegun = (part: string) => words.some((word) => part.toLowerCase().startsWith(word));
  return parts.find(isNamed) ?? parts.find(isBegun) ?? parts[0] ?? '';
}
