import { Button } from '#app/ui/button.tsx';
import type { FinderPhrase } from '#domain/contact/phrases.ts';
import { phraseButton } from '#domain/texts/phrase-button.ts';
import type { PhrasesWords } from '#domain/words/compiled/types.ts';
import { MESSAGE_FORM } from '../tap-fields.tsx';

interface PhraseChipsProps {
  readonly code: string;
  readonly phrases: PhrasesWords;
  /** Whether it is the page of all phrases, to which the others link. */
  readonly isPageOfAll?: boolean;
  readonly hidden?: boolean;
}

const CHIPS: readonly FinderPhrase[] = ['yes', 'no', 'thanks', 'can_post'];

/** The path of the page with all phrases. */
function phrasesPath(code: string): string {
  return `/item/${code}/say`;
}

/** What a finder says in one tap once there is a conversation. The script fetches them after the first message. */
export function PhraseChips({ code, phrases, isPageOfAll = false, hidden }: PhraseChipsProps) {
  return (
    <div data-phrases="" hidden={hidden} className="flex flex-wrap gap-2">
      {CHIPS.map((kind) => (
        <Button
          key={kind}
          type="submit"
          form={MESSAGE_FORM}
          name="kind"
          value={kind}
          formNoValidate
          variant="outline"
          className="flex-1 whitespace-nowrap"
        >
          {phraseButton(kind, phrases)}
        </Button>
      ))}
      <a
        href={phrasesPath(code)}
        hidden={isPageOfAll}
        className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
      >
        {phrases.more}
      </a>
    </div>
  );
}
