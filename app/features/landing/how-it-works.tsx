import { MessagesSquare, ScanLine, Tag } from 'lucide-react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { landingWords } from '#words/landing.ts';

const ICONS = [Tag, ScanLine, MessagesSquare];

export function HowItWorks() {
  const landing = landingWords(useLanguage());
  return (
    <section className="mx-auto w-full max-w-6xl px-4 py-16 sm:px-6 sm:py-24" aria-labelledby="how-it-works">
      <h2 id="how-it-works" className="mb-10 text-center font-bold text-3xl">
        {landing.howItWorks}
      </h2>
      <ol className="relative grid gap-6 md:grid-cols-3">
        {Object.values(landing.steps).map(({ title, text }, index) => {
          const Icon = ICONS[index] ?? Tag;
          return (
            <li
              key={title}
              className="relative flex flex-col gap-4 rounded-xl border border-line bg-surface p-6 shadow-raised sm:p-7"
            >
              <div className="flex items-center justify-between">
                <span className="grid size-14 place-content-center rounded-lg bg-primary-soft text-primary">
                  <Icon className="size-7" aria-hidden="true" />
                </span>
                <span
                  className="grid size-11 place-content-center rounded-full bg-tag font-bold text-lg text-on-tag"
                  aria-hidden="true"
                >
                  {index + 1}
                </span>
              </div>
              <h3 className="font-semibold text-xl">{title}</h3>
              <p className="text-ink-soft">{text}</p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
