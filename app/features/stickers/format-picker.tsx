import { ChevronDown, Search } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import { inputLook } from '#app/ui/field/field.tsx';
import { SearchSelect } from '#app/ui/field/search-select.tsx';
import { findLabelFormats, type LabelFormat, partFor } from '#domain/stickers/label-formats.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { useStickerTexts } from './use-sticker-texts.ts';

interface FormatPickerProps {
  readonly value: LabelFormat;
  readonly onChange: (format: LabelFormat) => void;
}

/** Selects a label format, searchable by brand, by any of the maker's numbers, and by shape, size and paper. */
export function FormatPicker({ value, onChange }: FormatPickerProps) {
  const texts = useStickerTexts();
  const [query, setQuery] = useState('');
  const nameOf = (format: LabelFormat, searched: string) =>
    texts.formatName({ brand: format.brand, part: partFor(format, searched) });
  const detailsOf = (format: LabelFormat) => texts.formatDetails(format, cellsPerPage(format));
  const found = findLabelFormats(query, detailsOf);
  return (
    <div className="flex flex-col gap-1.5">
      <SearchSelect
        options={found}
        value={value}
        onChange={onChange}
        onSearch={setQuery}
        found={found}
        keyOf={({ id }) => id}
        nameOf={(format) => nameOf(format, query)}
        trigger={{
          label: texts.formatChosen({ name: nameOf(value, ''), details: detailsOf(value) }),
          className: classNames(inputLook(false), 'flex items-center gap-3 text-start'),
          content: (
            <>
              <Search className="size-5 shrink-0 text-ink-soft" aria-hidden="true" />
              <span className="flex min-w-0 flex-1 flex-col leading-snug">
                <span className="font-semibold">
                  <bdi>{nameOf(value, '')}</bdi>
                </span>
                <span className="text-ink-soft text-sm">{detailsOf(value)}</span>
              </span>
              <ChevronDown className="size-5 shrink-0 text-ink-soft" aria-hidden="true" />
            </>
          ),
        }}
        searchLabel={texts.formatSearch}
        placeholder={texts.formatExample}
        nothingFound={texts.formatNone}
      >
        {(format) => (
          <span className="flex min-w-0 flex-1 flex-col leading-snug">
            <span className="font-medium">
              <bdi>{nameOf(format, query)}</bdi>
            </span>
            <span className="text-ink-soft text-sm">{detailsOf(format)}</span>
          </span>
        )}
      </SearchSelect>
      <p className="text-ink-soft text-xs">{texts.formatHint}</p>
    </div>
  );
}
