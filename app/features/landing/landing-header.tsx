import { usePublicConfig } from '#app/lib/public-config.ts';
import { mayHaveSession } from '#app/lib/session.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Logo } from '#app/ui/logo.tsx';

interface LandingHeaderProps {
  /** Where the button leads: to sign-up with the code in hand, or to sign in. */
  readonly target: string;
  readonly hasCode: boolean;
}

/** Stands on the same deep ground as the hero under it. */
export function LandingHeader({ target, hasCode }: LandingHeaderProps) {
  const { landing } = useMessages();
  const { productName } = usePublicConfig();
  const isSignedIn = useHydrated() && mayHaveSession();
  return (
    <div className="bg-night text-on-night">
      <header className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-4 sm:px-6">
        <Logo name={productName} />
        <LinkButton
          to={isSignedIn && !hasCode ? '/dashboard' : target}
          replace
          // The script of the plain document does with them what the router does (`landing-script.ts`).
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
