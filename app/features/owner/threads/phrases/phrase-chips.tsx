import { type SubmitEvent, useId, useState } from 'react';
import type { ReplyPhrase } from '#app/data/replies/send-reply.ts';
import { usePhrases } from '#app/i18n/use-phrases.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { OWNER_PHRASES, type OwnerPhrase } from '#domain/contact/phrases.ts';
import { phraseButton } from '#domain/texts/phrase-button.ts';
import { itemPageWords } from '#words/item-page.ts';
import { PhraseFieldsOf, readPhrase } from './phrase-fields.tsx';

interface PhraseChipsProps {
  readonly onSend: (phrase: ReplyPhrase) => void;
}

const HAS_FIELDS: readonly OwnerPhrase[] = ['can_come', 'please_leave', 'please_post'];

/** What an owner says without typing: the finder reads it in their own language. */
export function PhraseChips({ onSend }: PhraseChipsProps) {
  const { words } = usePhrases();
  const { threads } = itemPageWords(useLanguage());
  const [open, setOpen] = useState<OwnerPhrase | null>(null);
  const fields = useId();

  const choose = (kind: OwnerPhrase) => {
    if (HAS_FIELDS.includes(kind)) setOpen(kind === open ? null : kind);
    else {
      setOpen(null);
      onSend({ kind });
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (open === null) return;
    onSend(readPhrase(open, new FormData(event.currentTarget)));
    setOpen(null);
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:px-0">
        {OWNER_PHRASES.map((kind) => (
          <Button
            key={kind}
            variant="outline"
            aria-expanded={HAS_FIELDS.includes(kind) ? kind === open : undefined}
            aria-controls={kind === open ? fields : undefined}
            onClick={() => choose(kind)}
            className="shrink-0 whitespace-nowrap text-sm! aria-expanded:border-primary aria-expanded:text-primary"
          >
            {phraseButton(kind, words)}
          </Button>
        ))}
      </div>
      {open !== null && (
        <form id={fields} onSubmit={submit} className="flex flex-col gap-3 rounded-md border border-line p-4">
          <PhraseFieldsOf key={open} kind={open} words={words.fields} />
          <Button type="submit" className="self-end">
            {threads.send}
          </Button>
        </form>
      )}
    </div>
  );
}
