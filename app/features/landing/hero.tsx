import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { landingWords } from '#words/landing.ts';
import { PhonePicture } from './phone-picture.tsx';
import { StickerPicture } from './sticker-picture.tsx';

interface HeroProps {
  /** Where the button leads: to the sign-up, with the stored code if there is one, or to the sign-in. */
  readonly target: string;
  /** The code that was just scanned and that is free. */
  readonly scanned: string | null;
  /** The button for finders. */
  readonly finderAction: ReactNode;
}

export function Hero({ target, scanned, finderAction }: HeroProps) {
  const landing = landingWords(useLanguage());
  const { productName } = usePublicConfig();
  return (
    <div className="overflow-hidden bg-night text-on-night">
      <div className="mx-auto grid w-full max-w-6xl grid-cols-1 items-center gap-x-8 gap-y-14 px-4 pt-8 pb-20 sm:px-6 sm:pt-14 lg:grid-cols-[1.1fr_1fr] lg:pb-28">
        <div className="flex flex-col items-start gap-6">
          <h1 className="font-extrabold text-4xl">{landing.headline}</h1>
          <p className="max-w-xl text-lg text-on-night-soft">{landing.lead}</p>
          {scanned !== null && (
            <p className="rounded-md border border-tag/60 px-4 py-2.5 text-tag wrap-anywhere">
              <WithName of={landing.codeInHand} name={scanned} />
            </p>
          )}
          <div className="flex flex-col gap-3 self-stretch sm:flex-row sm:flex-wrap sm:items-center sm:self-auto">
            {/* In the plain document, `landing-script.ts` leads those who have signed in before to the sign-in. */}
            <LinkButton to={target} variant="tag" size="large" data-auth="" data-begin="">
              <span>
                <WithName of={landing.callToAction} name={productName} />
              </span>
            </LinkButton>
            {finderAction}
          </div>
          <ul className="flex flex-wrap gap-x-5 gap-y-2 text-on-night-soft text-sm">
            {Object.values(landing.promises).map((promise) => (
              <li key={promise} className="flex items-center gap-2">
                <Check className="size-4 text-tag" aria-hidden="true" />
                {promise}
              </li>
            ))}
          </ul>
        </div>
        <HeroPicture />
      </div>
    </div>
  );
}

/** The product in one picture: sticker, cord and phone. */
function HeroPicture() {
  const { picture } = landingWords(useLanguage());
  return (
    <div
      role="img"
      aria-label={picture.description}
      className="relative mx-auto h-[36rem] w-full max-w-md min-[360px]:h-[31rem] sm:h-[35rem]"
    >
      <svg
        viewBox="0 0 400 500"
        className="absolute inset-0 size-full rtl:-scale-x-100"
        fill="none"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path
          d="M62 330C-40 200 40 60 120 60s60 60 20 60-20-90 60-90M200 455c60 40 150 10 130-50s-70-10-40 20 80 0 90-40"
          className="stroke-tag"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray="1 10"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <PhonePicture className="absolute end-0 top-0 rotate-3 sm:end-2" />
      <StickerPicture className="absolute start-0 bottom-0 -rotate-8 sm:start-2" />
    </div>
  );
}
