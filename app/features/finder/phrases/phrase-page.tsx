import type { FinderPhrase } from '#domain/contact/phrases.ts';
import type { TypedPhrase } from '#domain/contact/typed-phrase.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { MESSAGE_FORM } from '../tap-fields.tsx';
import { PhraseChips } from './phrase-chips.tsx';
import { PhraseForm } from './phrase-form.tsx';

export interface PhrasePageProps {
  readonly code: string;
  /** That of the browser, where its script has told. */
  readonly timeZone: string | null;
  /** The phrase that was sent and is not complete. */
  readonly typed?: TypedPhrase | undefined;
}

const FORMS: readonly FinderPhrase[] = ['can_bring', 'here_until', 'handed_in'];

/** The page `/item/{code}/say`: what a finder can say without typing, each in a plain form. */
export function PhrasePage({
  code,
  timeZone,
  typed,
  language,
}: PhrasePageProps & { readonly language: FinderLanguage }) {
  const { phrases, item } = language.texts;
  const action = `/item/${code}/message#message`;
  return (
    <section className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6">
      <h1 className="font-bold text-2xl">{phrases.more}</h1>
      <form id={MESSAGE_FORM} method="post" action={action}>
        <PhraseChips code={code} phrases={phrases} isPageOfAll />
      </form>
      {FORMS.map((kind) => (
        <PhraseForm key={kind} action={action} kind={kind} language={language} timeZone={timeZone} typed={typed} />
      ))}
      <a
        href={`/item/${code}#conversation`}
        className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
      >
        {item.back}
      </a>
    </section>
  );
}
