import { Combobox } from '@base-ui/react/combobox';
import { Check, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { inputLook } from '#app/ui/field/field.tsx';
import type { PhoneCountry } from './phone-countries.ts';
import { searchCountries } from './search-countries.ts';

interface CountryPickerProps {
  readonly countries: readonly PhoneCountry[];
  readonly value: PhoneCountry;
  readonly onChange: (country: PhoneCountry) => void;
  readonly invalid: boolean;
}

/** Selects the country of a phone number, searchable by name, two-letter code or calling code. */
export function CountryPicker({ countries, value, onChange, invalid }: CountryPickerProps) {
  const { auth } = useTexts();
  const [query, setQuery] = useState('');
  return (
    <Combobox.Root
      items={countries}
      filteredItems={searchCountries(countries, query)}
      onInputValueChange={setQuery}
      value={value}
      onValueChange={(country) => country && onChange(country)}
      autoHighlight
      onOpenChange={(open, details) => {
        // Enter without a selection would close the list and keep a country that the user did not mean.
        const choseNothing = details.reason === 'none' && details.event instanceof KeyboardEvent;
        if (!open && choseNothing) details.cancel();
      }}
      isItemEqualToValue={(one, other) => one.code === other.code}
      itemToStringLabel={({ name, code, callingCode }) => `${name} ${code} +${callingCode}`}
    >
      <Combobox.Trigger
        aria-label={auth.phoneCountry(value.name, value.callingCode)}
        className={classNames(inputLook(invalid), 'flex w-auto! shrink-0 items-center gap-1.5 px-3')}
      >
        <bdi dir="ltr">+{value.callingCode}</bdi>
        <ChevronDown className="size-4 text-ink-soft" aria-hidden="true" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={6} className="z-50">
          <Combobox.Popup
            aria-label={auth.phoneCountrySearch}
            className="flex max-h-[min(24rem,var(--available-height))] w-[min(22rem,calc(100vw-2rem))] flex-col rounded-md border border-line bg-surface text-ink shadow-floating"
          >
            <div className="p-2">
              <Combobox.Input
                placeholder={auth.phoneCountrySearch}
                aria-label={auth.phoneCountrySearch}
                className={inputLook(false)}
              />
            </div>
            <Combobox.Empty className="px-4 text-ink-soft text-sm not-empty:py-3">{auth.phoneNoCountry}</Combobox.Empty>
            <Combobox.List className="overflow-y-auto overscroll-contain pb-2">
              {(country: PhoneCountry) => (
                <Combobox.Item
                  key={country.code}
                  value={country}
                  className="flex min-h-11 cursor-default items-center gap-3 px-4 py-1 text-sm data-highlighted:bg-primary-soft"
                >
                  <span className="min-w-0 flex-1">{country.name}</span>
                  <bdi dir="ltr" className="text-ink-soft">
                    +{country.callingCode}
                  </bdi>
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
