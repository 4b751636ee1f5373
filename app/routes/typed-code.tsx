import { redirect } from 'react-router';
import { dataClient } from '#app/client/browser-client.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { findTypedCode } from '#app/data/tag-codes.ts';
import { ItemFrame } from '#app/features/site/item-frame.tsx';
import { NothingHere } from '#app/features/site/not-found-screen.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LoadFailed } from '#app/resilience/load-failed.tsx';
import { readTypedCode } from '#domain/tag-code/typed-code.ts';
import type { Route } from './+types/typed-code.ts';

/**
 * For a signed-in user, whom the database lets find their own void codes as well. The server serves everything else at
 * this address.
 */
export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const read = readTypedCode(params.typedCode);
  const code = read.ok ? await findTypedCode(await dataClient(), read.typedCode) : null;
  if (code !== null) throw redirect(`/item/${code}`);
  return { code: params.typedCode };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ item }) => item.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function TypedCodePage({ loaderData }: Route.ComponentProps) {
  return (
    <ItemFrame signedIn={mayHaveSession()} width="narrow">
      <NothingHere code={loaderData.code} isClaimable={false} />
    </ItemFrame>
  );
}

export function ErrorBoundary() {
  const { dashboard, item } = useTexts();
  return (
    <ItemFrame signedIn={mayHaveSession()} width="narrow">
      <h1 className="mb-6 font-bold text-3xl">{item.title}</h1>
      <LoadFailed title={item.loadFailed} text={dashboard.loadFailedText} />
    </ItemFrame>
  );
}
