import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { inputLook } from '#app/ui/field/field.tsx';
import { SearchSelect } from '#app/ui/field/search-select.tsx';
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
  const { auth } = useSignInTexts();
  const [query, setQuery] = useState('');
  return (
    <SearchSelect
      options={countries}
      value={value}
      onChange={onChange}
      onSearch={setQuery}
      found={searchCountries(countries, query)}
      keyOf={({ code }) => code}
      nameOf={({ name, code, callingCode }) => `${name} ${code} +${callingCode}`}
      trigger={{
        label: auth.phoneCountry({ name: value.name, callingCode: value.callingCode }),
        className: classNames(inputLook(invalid), 'flex w-auto! shrink-0 items-center gap-1.5 px-3'),
        content: (
          <>
            <bdi translate="no" dir="ltr">
              +{value.callingCode}
            </bdi>
            <ChevronDown className="size-4 text-ink-soft" aria-hidden="true" />
          </>
        ),
      }}
      searchLabel={auth.phoneCountrySearch}
      nothingFound={auth.phoneNoCountry}
    >
      {({ name, callingCode }) => (
        <>
          <span className="min-w-0 flex-1 text-sm">{name}</span>
          <bdi translate="no" dir="ltr" className="text-ink-soft text-sm">
            +{callingCode}
          </bdi>
        </>
      )}
    </SearchSelect>
  );
}
