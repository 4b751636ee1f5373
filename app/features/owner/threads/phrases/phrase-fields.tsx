import { type ReactNode, useId } from 'react';
import type { ReplyPhrase } from '#app/data/replies/send-reply.ts';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { SelectField } from '#app/ui/field/fields.tsx';
import { currenciesFor } from '#domain/contact/currencies.ts';
import { PLACE_LENGTH } from '#domain/contact/message-details.ts';
import type { OwnerPhrase } from '#domain/contact/phrases.ts';
import { trimBlanks } from '#domain/white-space.ts';
import type { PhrasesWords } from '#domain/words/compiled/types.ts';

interface PhraseFieldsProps {
  readonly kind: OwnerPhrase;
  readonly words: PhrasesWords['fields'];
}

/** The fields of a phrase that has some. */
export function PhraseFieldsOf({ kind, words }: PhraseFieldsProps): ReactNode {
  const id = useId();
  if (kind === 'please_post') {
    return (
      <div className="flex gap-3">
        <Field id={`${id}-amount`} label={words.atMost}>
          {(control) => (
            <input
              {...control}
              type="number"
              name="amount"
              min="0.01"
              max="9999999"
              step="any"
              inputMode="decimal"
              autoComplete="off"
              enterKeyHint="send"
              className={inputLook(false)}
            />
          )}
        </Field>
        <SelectField label={words.currency} name="currency">
          {currenciesFor(navigator.languages).map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </SelectField>
      </div>
    );
  }
  return (
    <>
      {kind === 'can_come' && (
        <Field id={`${id}-moment`} label={words.when}>
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              name="moment"
              max="2999-12-30T00:00"
              autoComplete="off"
              enterKeyHint="next"
              className={inputLook(false)}
            />
          )}
        </Field>
      )}
      <Field id={`${id}-place`} label={words.where}>
        {(control) => (
          <input
            {...control}
            name="place"
            required={kind === 'please_leave'}
            maxLength={PLACE_LENGTH}
            autoComplete="off"
            enterKeyHint="send"
            className={inputLook(false)}
          />
        )}
      </Field>
    </>
  );
}

/** Reads a phrase from its form. Fields that are empty are left out. */
export function readPhrase(kind: OwnerPhrase, form: FormData): ReplyPhrase {
  const textOf = (name: string) => trimBlanks(String(form.get(name) ?? ''));
  const [place, local, amount] = ['place', 'moment', 'amount'].map(textOf);
  return {
    kind,
    ...(place && { place }),
    ...(local && {
      // A local time without a zone is one of the browser's.
      moment: new Date(local).toISOString(),
      time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
    ...(amount && { amount: Number(amount), currency: textOf('currency') }),
  };
}
