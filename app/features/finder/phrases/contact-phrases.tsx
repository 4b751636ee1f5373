import { Button } from '#app/ui/button.tsx';
import type { OwnerPhrase } from '#domain/contact/phrases.ts';
import type { TypedPhrase } from '#domain/contact/typed-phrase.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { phraseButton } from '#domain/texts/phrase-button.ts';
import { PhraseForm } from './phrase-form.tsx';

interface ContactPhrasesProps {
  /** Where their forms are sent. */
  readonly action: string;
  readonly language: FinderLanguage;
  /** That of the contact, where they have chosen one. */
  readonly timeZone: string | null;
  /** The id of the next reply. */
  readonly messageId: string;
  readonly typed?: TypedPhrase | undefined;
}

const CHIPS: readonly OwnerPhrase[] = ['where', 'please_photo', 'still_there', 'thanks'];
const FORMS: readonly OwnerPhrase[] = ['can_come', 'please_leave'];

/** What a second contact can say without typing: the finder reads it in their own language. */
export function ContactPhrases({ action, messageId, ...rest }: ContactPhrasesProps) {
  const { phrases } = rest.language.texts;
  return (
    <>
      <form method="post" action={action} className="flex flex-wrap gap-2">
        <input type="hidden" name="message_id" value={messageId} />
        {CHIPS.map((kind) => (
          <Button key={kind} type="submit" name="kind" value={kind} variant="outline" className="flex-1">
            {phraseButton(kind, phrases)}
          </Button>
        ))}
      </form>
      {FORMS.map((kind) => (
        <PhraseForm key={kind} action={action} kind={kind} messageId={messageId} {...rest} />
      ))}
    </>
  );
}
