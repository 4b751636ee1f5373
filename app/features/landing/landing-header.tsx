import { usePublicConfig } from '#app/client/public-config.ts';
import { useSignedIn } from '#app/client/use-signed-in.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Logo } from '#app/ui/logo.tsx';
import { landingWords } from '#words/landing.ts';

interface LandingHeaderProps {
  /** Where the button leads: to the sign-up with the stored code, or to the sign-in. */
  readonly target: string;
  readonly hasCode: boolean;
}

/** The header on the same dark background as the hero below. */
export function LandingHeader({ target, hasCode }: LandingHeaderProps) {
  const landing = landingWords(useLanguage());
  const { productName } = usePublicConfig();
  const isSignedIn = useSignedIn();
  return (
    <div className="bg-night text-on-night">
      <header className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-4 sm:px-6">
        <Logo name={productName} />
        <LinkButton
          to={isSignedIn && !hasCode ? '/dashboard' : target}
          replace
          // In the plain document, `landing-script.ts` does with these attributes what the router does in the app.
          data-replace=""
          data-auth=""
          data-signed-in={landing.yourItems}
          data-with-code={landing.registerItem}
          variant="outline"
          className="border-on-night-soft! bg-transparent! text-on-night! hover:bg-on-night! hover:text-night!"
        >
          {hasCode ? landing.registerItem : isSignedIn ? landing.yourItems : landing.logIn}
        </LinkButton>
      </header>
    </div>
  );
}
