import { Button } from '#app/ui/button.tsx';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { PLACE_LENGTH } from '#domain/contact/message-details.ts';
import { DESKS, hasMoment, type Phrase } from '#domain/contact/phrases.ts';
import { COMMON_TIME_ZONES } from '#domain/contact/time-zones.ts';
import type { TypedPhrase } from '#domain/contact/typed-phrase.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { phraseButton } from '#domain/texts/phrase-button.ts';
import { PlainSelect } from '../plain-select.tsx';

interface PhraseFormProps {
  readonly action: string;
  readonly kind: Phrase;
  readonly language: FinderLanguage;
  /** That of the browser, where it is known: then the finder is not asked. */
  readonly timeZone: string | null;
  /** The id of the message that it sends, so that one that is sent twice arrives once. */
  readonly messageId?: string | undefined;
  readonly typed?: TypedPhrase | undefined;
}

/** A phrase with fields, which opens below its button. A plain form. */
export function PhraseForm({ action, kind, language, timeZone, messageId, typed }: PhraseFormProps) {
  const { taps, phrases } = language.texts;
  const isTyped = typed?.kind === kind;
  return (
    <details open={isTyped} className="rounded-lg border border-line bg-surface px-4 text-sm">
      <summary className="cursor-pointer py-3 font-semibold text-primary">{phraseButton(kind, phrases)}</summary>
      <form method="post" action={action} className="flex flex-col gap-3 py-3">
        <input type="hidden" name="kind" value={kind} />
        {messageId !== undefined && <input type="hidden" name="message_id" value={messageId} />}
        {isTyped && <Alert>{typed.problem}</Alert>}
        {hasMoment(kind) && (
          <>
            <Field id={`${kind}-moment`} label={phrases.fields.when}>
              {(control) => (
                <input
                  {...control}
                  type="datetime-local"
                  name="moment"
                  required={kind === 'here_until'}
                  autoComplete="off"
                  enterKeyHint="next"
                  className={inputLook(isTyped)}
                />
              )}
            </Field>
            {timeZone === null ? (
              <PlainSelect
                id={`${kind}-zone`}
                label={language.words.secondContact.timeZone}
                name="time_zone"
                defaultValue=""
                invalid={isTyped}
              >
                <option value="" />
                {COMMON_TIME_ZONES.map((zone) => (
                  <option key={zone}>{zone}</option>
                ))}
              </PlainSelect>
            ) : (
              <input type="hidden" name="time_zone" value={timeZone} />
            )}
          </>
        )}
        <Field id={`${kind}-place`} label={phrases.fields.where}>
          {(control) => (
            <input
              {...control}
              name="place"
              required={kind === 'please_leave'}
              maxLength={PLACE_LENGTH}
              defaultValue={isTyped ? typed.place : ''}
              autoComplete="off"
              enterKeyHint="send"
              className={inputLook(false)}
            />
          )}
        </Field>
        {kind === 'handed_in' ? (
          DESKS.map((desk) => (
            <Button key={desk} type="submit" name="desk" value={desk} variant="outline" wide>
              {phrases.finder.handedIn.choices[desk]}
            </Button>
          ))
        ) : (
          <Button type="submit" wide>
            {taps.sendTap}
          </Button>
        )}
      </form>
    </details>
  );
}
