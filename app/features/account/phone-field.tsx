import { useEffect, useId, useState } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field.tsx';
import { CountryPicker } from './country-picker.tsx';
import type { PhoneCountry } from './phone-countries.ts';

/** What stands in the field: a number as typed, and the country that it is of unless it begins with a plus. */
export interface TypedPhone {
  readonly text: string;
  /** ISO 3166, in capitals. */
  readonly country: string;
}

export const NO_PHONE: TypedPhone = { text: '', country: 'IL' };

/** Shown until the list of all countries is here. */
const DEFAULT_COUNTRY: PhoneCountry = { code: 'IL', name: 'Israel', callingCode: '972' };

interface PhoneFieldProps {
  readonly value: TypedPhone;
  readonly onChange: (value: TypedPhone) => void;
  readonly error?: string | undefined;
  /** Numbers of more than 15 digits, which E.164 does not have. */
  readonly allowLongNumbers?: boolean;
}

export function PhoneField({ value, onChange, error, allowLongNumbers = false }: PhoneFieldProps) {
  const id = useId();
  const { auth } = useMessages();
  const countries = usePhoneCountries();
  const country = countries.find(({ code }) => code === value.country) ?? DEFAULT_COUNTRY;

  const type = (text: string) => {
    if (allowLongNumbers || text.replaceAll(/\D/g, '').length <= 15) onChange({ ...value, text });
  };

  return (
    <Field id={id} label={auth.phone} hint={auth.phoneHint} error={error}>
      {(control) => (
        // A number is written from left to right in every language.
        <div dir="ltr" className="flex gap-2">
          <CountryPicker
            countries={countries}
            value={country}
            onChange={({ code }) => onChange({ ...value, country: code })}
            invalid={error !== undefined}
          />
          <input
            {...control}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            name="phone"
            required
            placeholder={auth.phonePlaceholder}
            value={value.text}
            onChange={(event) => type(event.target.value)}
            className={classNames(inputLook(error !== undefined), 'min-w-0 flex-1')}
          />
        </div>
      )}
    </Field>
  );
}

/** The list of countries, which comes with the telephone numbers' metadata once the form is there. */
function usePhoneCountries(): readonly PhoneCountry[] {
  const [countries, setCountries] = useState<readonly PhoneCountry[]>([DEFAULT_COUNTRY]);
  useEffect(() => {
    let gone = false;
    import('./phone-countries.ts').then(
      ({ phoneCountries }) => {
        if (!gone) setCountries(phoneCountries(document.documentElement.lang || 'en'));
      },
      // Without the list the default country stays, and any number can still be typed with its plus.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, []);
  return countries;
}
