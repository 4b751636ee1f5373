import { ChevronDown } from 'lucide-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { loadPart } from '#app/ui/load-part.ts';
import { plainTyped } from '#domain/plain-typed.ts';
import type { PhoneCountry } from './phone-countries.ts';

/** Shown until the list of countries is loaded. */
const DEFAULT_COUNTRY: PhoneCountry = { code: 'IL', name: 'Israel', callingCode: '972', isMain: true };

interface PhoneFieldProps {
  readonly error: string | undefined;
  readonly onEdit: () => void;
  readonly hint: string;
  /** The initial values of the field and the picker. */
  readonly defaultValue?: string;
  readonly defaultCountry?: string;
  /** Accepts numbers of more than 15 digits, which E.164 does not allow. */
  readonly allowLongNumbers?: boolean;
  readonly enterKeyHint?: 'next' | 'send';
}

/**
 * A phone number field: `phone` in its form, as typed, and `country`, which applies unless the number begins with a
 * plus.
 */
export function PhoneField({
  error,
  onEdit,
  hint,
  defaultValue = '',
  defaultCountry = '',
  allowLongNumbers = false,
  enterKeyHint = 'next',
}: PhoneFieldProps) {
  const id = useId();
  const { auth } = useSignInTexts();
  const parts = usePickerParts();
  const [chosen, setChosen] = useState(defaultCountry || DEFAULT_COUNTRY.code);
  const country = parts?.countries.find(({ code }) => code === chosen) ?? DEFAULT_COUNTRY;
  const accepted = useRef(defaultValue);
  const countryInput = useRef<HTMLInputElement>(null);

  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const { value } = event.target;
    if (allowLongNumbers || plainTyped(value).replaceAll(/\D/g, '').length <= 15) accepted.current = value;
    else event.target.value = accepted.current;
    onEdit();
  };

  return (
    <Field id={id} label={auth.phone} hint={hint} error={error}>
      {(control) => (
        // Numbers are written left to right in every language.
        <div dir="ltr" className="flex gap-2">
          {parts === null ? (
            <PickerToCome country={country} />
          ) : (
            <parts.CountryPicker
              countries={parts.countries}
              value={country}
              onChange={({ code }) => {
                setChosen(code);
                // The form is read now, before React has rendered the choice.
                if (countryInput.current !== null) countryInput.current.value = code;
                onEdit();
              }}
              invalid={error !== undefined}
            />
          )}
          {/* The selected country, also while the list is loading. */}
          <input ref={countryInput} type="hidden" name="country" value={chosen} />
          <input
            {...control}
            type="tel"
            inputMode="tel"
            enterKeyHint={enterKeyHint}
            autoComplete="tel"
            name="phone"
            required
            placeholder={auth.phonePlaceholder}
            defaultValue={defaultValue}
            onChange={type}
            className={classNames(
              inputLook(error !== undefined),
              'min-w-0 flex-1 max-[360px]:px-2! max-[360px]:placeholder:text-xs',
            )}
          />
        </div>
      )}
    </Field>
  );
}

/** A placeholder in the size of the picker. */
function PickerToCome({ country }: { readonly country: PhoneCountry }) {
  return (
    <span className={classNames(inputLook(false), 'flex w-auto! shrink-0 items-center gap-1.5 px-3')}>
      <span>+{country.callingCode}</span>
      <ChevronDown className="size-4 text-ink-soft" aria-hidden="true" />
    </span>
  );
}

interface PickerParts {
  readonly countries: readonly PhoneCountry[];
  readonly CountryPicker: typeof import('./country-picker.tsx').CountryPicker;
}

/** Loads the picker and its list, which include the metadata of phone numbers, once the form is mounted. */
function usePickerParts(): PickerParts | null {
  const [parts, setParts] = useState<PickerParts | null>(null);
  useEffect(() => {
    let gone = false;
    Promise.all([loadPart(() => import('./country-picker.tsx')), loadPart(() => import('./phone-countries.ts'))]).then(
      ([{ CountryPicker }, { phoneCountries }]) => {
        if (!gone) setParts({ CountryPicker, countries: phoneCountries(document.documentElement.lang || 'en') });
      },
      // Without them the default country stays, and numbers can still be typed with a plus.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, []);
  return parts;
}
