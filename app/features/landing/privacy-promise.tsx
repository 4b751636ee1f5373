import { ShieldCheck } from 'lucide-react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { landingWords } from '#words/landing.ts';

export function PrivacyPromise() {
  const landing = landingWords(useLanguage());
  return (
    <section className="mx-auto w-full max-w-6xl px-4 pb-16 sm:px-6 sm:pb-24" aria-labelledby="privacy-promise">
      <div className="grid items-center gap-6 rounded-xl bg-tag-soft p-7 sm:p-12 md:grid-cols-[auto_1fr] md:gap-10">
        <span className="grid size-24 -rotate-6 place-content-center rounded-xl bg-tag text-on-tag">
          <ShieldCheck className="size-12" aria-hidden="true" />
        </span>
        <div className="flex flex-col items-start gap-3">
          <h2 id="privacy-promise" className="font-bold text-2xl">
            {landing.privacyTitle}
          </h2>
          <p className="max-w-2xl">{landing.privacyText}</p>
          <LinkButton variant="quiet" to="/privacy" className="-ms-4 text-start! sm:-ms-5">
            {landing.privacyLink}
          </LinkButton>
        </div>
      </div>
    </section>
  );
}
