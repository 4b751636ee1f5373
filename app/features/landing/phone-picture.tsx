import { CircleCheck, KeyRound, Mail, MessageCircle, Phone, Share2 } from 'lucide-react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { landingWords } from '#words/landing.ts';

/** A phone with the finder's page, in the colors and icons of the product. */
export function PhonePicture({ className }: { readonly className?: string }) {
  const { picture } = landingWords(useLanguage());
  return (
    <div
      className={classNames(
        'w-60 rounded-[2.25rem] border-4 border-[#04201a] dark:border-[#35524a] bg-[#04201a] p-1.5 text-ink shadow-floating sm:w-72',
        className,
      )}
    >
      <div className="flex flex-col gap-3 overflow-hidden rounded-[1.75rem] bg-canvas p-3.5 pb-5">
        <span className="mx-auto h-1.5 w-16 rounded-full bg-line" />
        <div className="flex items-center gap-3 rounded-lg bg-night p-3.5 text-on-night">
          <span className="grid size-12 shrink-0 place-content-center rounded-md bg-tag text-on-tag">
            <KeyRound className="size-6" />
          </span>
          <span className="flex flex-col">
            <span className="font-bold leading-tight">{picture.foundTitle}</span>
            <span className="text-on-night-soft text-xs">{picture.foundText}</span>
          </span>
        </div>
        <div className="grid grid-cols-4 gap-1.5">
          {[MessageCircle, Phone, Mail, Share2].map((Icon) => (
            <span
              key={Icon.displayName}
              className="grid h-11 place-content-center rounded-md border border-line bg-surface text-primary"
            >
              <Icon className="size-5" />
            </span>
          ))}
        </div>
        <p className="rounded-lg rounded-es-sm border border-line bg-surface p-3 text-sm leading-snug">
          {picture.finderMessage}
        </p>
        <p className="flex items-center gap-2 rounded-md bg-primary-soft px-3 py-2.5 font-medium text-primary text-xs">
          <CircleCheck className="size-4 shrink-0" />
          {picture.sent}
        </p>
      </div>
    </div>
  );
}
