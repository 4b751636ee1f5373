import { browserClient } from '#app/client/browser-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { rememberReturnPath } from '#app/client/return-path.ts';
import { readUser } from '#app/client/session/read-user.ts';
import { mayHaveSession, storedUserId } from '#app/client/session.ts';
import { clearStoredTagCode } from '#app/client/stored-tag-code.ts';
import { offerProof } from '#app/data/transfers/offer-proof.ts';
import { proveOfferedAddress } from '#app/data/transfers/received-offers.ts';
import { loadTransfers, type ReceivedOffer } from '#app/data/transfers/transfers.ts';
import { ClosedOffer, OfferToVisitor, OpenOffer, type OwnAddress } from '#app/features/giving/offer-screen.tsx';
import { ItemFrame } from '#app/features/site/item-frame.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { givingWords } from '#words/giving.ts';
import type { Route } from './+types/offer.ts';

/** What an offer is to the reader. A visitor learns nothing about it. */
type View =
  | { readonly userId: null }
  | { readonly userId: string; readonly offer: ReceivedOffer }
  | { readonly userId: string; readonly offer: null; readonly address: OwnAddress };

export async function clientLoader({ params: { offerId } }: Route.ClientLoaderArgs) {
  const proof = offerProof(offerId);
  return staleIfError(storedUserId(), offerId, async (): Promise<View> => {
    const session = mayHaveSession() ? await currentSession() : null;
    if (session === null) return { userId: null };
    const client = await browserClient();
    const userId = session.user.id;
    const find = async () => (await loadTransfers(client)).offers.find(({ id }) => id === offerId);
    // Reading the email proves its address, so no second email is needed.
    const offer =
      (await find()) ?? (proof !== null && (await proveOfferedAddress(client, proof)) ? await find() : undefined);
    if (offer !== undefined) return { userId, offer };
    const { email = '', email_confirmed_at: provedAt } = await readUser();
    return { userId, offer: null, address: { email: email === '' ? null : email, isProved: provedAt !== undefined } };
  });
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<View>();

export function meta({ matches }: Route.MetaArgs) {
  return [
    pageTitle(() => givingWords(siteOf(matches).language).offer.title, matches),
    { name: 'robots', content: 'noindex' },
  ];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function OfferPage({ loaderData }: Route.ComponentProps) {
  const signedIn = loaderData.userId !== null;
  // Signing in leads back here, not to a sticker that this tab was opened with before.
  const keepWayBack = () => {
    clearStoredTagCode();
    rememberReturnPath(location.href);
  };
  return (
    <ItemFrame signedIn={signedIn} width="narrow">
      <div className="flex flex-col gap-5">
        {loaderData.isStale && <StaleNotice />}
        {loaderData.userId === null && <OfferToVisitor onLeave={keepWayBack} />}
        {loaderData.userId !== null &&
          (loaderData.offer === null ? (
            <ClosedOffer {...loaderData.address} />
          ) : (
            <OpenOffer key={loaderData.offer.id} offer={loaderData.offer} />
          ))}
      </div>
    </ItemFrame>
  );
}

export function ErrorBoundary() {
  const texts = givingWords(useLanguage()).offer;
  return (
    <ItemFrame signedIn={mayHaveSession()} width="narrow">
      <h1 className="mb-6 font-bold text-3xl">{texts.title}</h1>
      <LoadFailed title={texts.loadFailed} text={texts.loadFailedText} />
    </ItemFrame>
  );
}
