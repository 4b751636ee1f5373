import { ChevronDown } from 'lucide-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field.tsx';
import type { PhoneCountry } from './phone-countries.ts';

/** Shown until the list of all countries is here. */
const DEFAULT_COUNTRY: PhoneCountry = { code: 'IL', name: 'Israel', callingCode: '972', isMain: true };

interface PhoneFieldProps {
  readonly error: string | undefined;
  readonly onEdit: () => void;
  readonly hint: string;
  /** What the field and the picker hold to begin with. */
  readonly defaultValue?: string;
  readonly defaultCountry?: string;
  /** Numbers of more than 15 digits, which E.164 does not have. */
  readonly allowLongNumbers?: boolean;
}

/** A telephone number: `phone` in its form, as typed, and `country`, which it is of unless it begins with a plus. */
export function PhoneField({
  error,
  onEdit,
  hint,
  defaultValue = '',
  defaultCountry = '',
  allowLongNumbers = false,
}: PhoneFieldProps) {
  const id = useId();
  const { auth } = useMessages();
  const parts = usePickerParts();
  const [chosen, setChosen] = useState(defaultCountry || DEFAULT_COUNTRY.code);
  const country = parts?.countries.find(({ code }) => code === chosen) ?? DEFAULT_COUNTRY;
  const accepted = useRef(defaultValue);

  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const { value } = event.target;
    if (allowLongNumbers || value.replaceAll(/\D/g, '').length <= 15) accepted.current = value;
    else event.target.value = accepted.current;
    onEdit();
  };

  return (
    <Field id={id} label={auth.phone} hint={hint} error={error}>
      {(control) => (
        // A number is written from left to right in every language.
        <div dir="ltr" className="flex gap-2">
          {parts === null ? (
            <PickerToCome country={country} />
          ) : (
            <parts.CountryPicker
              countries={parts.countries}
              value={country}
              onChange={({ code }) => {
                setChosen(code);
                onEdit();
              }}
              invalid={error !== undefined}
            />
          )}
          {/* The chosen one, also while the list that names it is on its way. */}
          <input type="hidden" name="country" value={chosen} />
          <input
            {...control}
            type="tel"
            inputMode="tel"
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

/** Stands where the picker will, in its size. */
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

/** The picker and its list, which come with the telephone numbers' metadata once the form is there. */
function usePickerParts(): PickerParts | null {
  const [parts, setParts] = useState<PickerParts | null>(null);
  useEffect(() => {
    let gone = false;
    Promise.all([import('./country-picker.tsx'), import('./phone-countries.ts')]).then(
      ([{ CountryPicker }, { phoneCountries }]) => {
        if (!gone) setParts({ CountryPicker, countries: phoneCountries(document.documentElement.lang || 'en') });
      },
      // Without them the default country stays, and any number can still be typed with its plus.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, []);
  return parts;
}
