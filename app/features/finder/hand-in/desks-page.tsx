import type { FinderViewLanguage } from '#domain/finder-language.ts';
import { DeskList, type NewMessage, type ShownDesks } from './desk-list.tsx';

export interface DesksPageProps {
  readonly code: string;
  readonly desks: ShownDesks;
  readonly takesMessages: boolean;
  readonly message: NewMessage;
}

/** The page `/item/{code}/desks`: all desks. */
export function DesksPage({
  code,
  desks,
  takesMessages,
  message,
  language,
}: DesksPageProps & { readonly language: FinderViewLanguage }) {
  return (
    <section className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6">
      <h1 className="font-bold text-2xl">{desks.words.all}</h1>
      <DeskList code={code} {...desks} takesMessages={takesMessages} message={message} />
      <a
        href={`/item/${code}`}
        className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
      >
        {language.texts.item.back}
      </a>
    </section>
  );
}
