import type { FinderViewLanguage } from '#domain/finder-language.ts';
import type { ListedLanguage } from '#domain/language-list.ts';

export interface LanguagePageProps {
  readonly languages: readonly ListedLanguage[];
  /** The path of the page to return to; null for none. */
  readonly back: string | null;
}

/** The page `/language`: a button for each language, in its own words. */
export function LanguagePage({
  languages,
  back,
  language,
}: LanguagePageProps & { readonly language: FinderViewLanguage }) {
  const texts = language.texts.language;
  return (
    <section className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6">
      <h1 className="font-bold text-2xl">{texts.title}</h1>
      <form method="post" action="/language" className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]">
        {back !== null && <input type="hidden" name="back" value={back} />}
        {languages.map(({ tag, name, direction }) => (
          <button
            key={tag}
            type="submit"
            name="tag"
            value={tag}
            lang={tag}
            dir={direction}
            translate="no"
            aria-current={tag === language.tag || undefined}
            className="min-h-11 rounded-md px-3 font-semibold text-primary hover:underline"
          >
            {name}
          </button>
        ))}
      </form>
      {back !== null && (
        <a href={back} className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline">
          {texts.back}
        </a>
      )}
    </section>
  );
}
