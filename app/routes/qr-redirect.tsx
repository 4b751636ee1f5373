import { data, type Path, redirect, useLocation } from 'react-router';
import { dataClient } from '#app/client/browser-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { rememberTagCode } from '#app/client/stored-tag-code.ts';
import { findItem } from '#app/data/tag-codes.ts';
import { NotFoundScreen } from '#app/features/site/not-found-screen.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Waiting } from '#app/ui/waiting.tsx';
import { resolveTagCode } from '#domain/tag-code/resolve-tag-code.ts';
import type { Route } from './+types/qr-redirect.ts';

/** Only the browser knows whether an earlier scan left a code. For all others, a URL without a code is not found. */
export function loader({ request }: Route.LoaderArgs) {
  return data(null, { status: isNowhere(new URL(request.url)) ? 404 : 200 });
}

function isNowhere({ pathname, search }: Pick<Path, 'pathname' | 'search'>): boolean {
  return pathname !== '/qr' && resolveTagCode({ pathname, search }) === null;
}

/** Stores the code and redirects: to its item where there is one or a user is signed in, else to the sign-up. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const code = rememberTagCode(new URL(request.url));
  if (code === null) throw redirect('/not-found');
  const signedIn = mayHaveSession() && (await currentSession()) !== null;
  if (signedIn || (await hasItem(code))) throw redirect(`/item/${code}`);
  throw redirect(`/auth/${code}`);
}
clientLoader.hydrate = true as const;

export function meta({ location, matches }: Route.MetaArgs) {
  return [pageTitle(({ notFound, redirect }) => (isNowhere(location) ? notFound : redirect).title, matches)];
}

export function HydrateFallback() {
  if (!isNowhere(useLocation())) return <Redirecting />;
  // Without scripts no earlier scan was stored either, so there is nowhere to redirect to.
  return (
    <>
      <div className="noscript:hidden">
        <Redirecting />
      </div>
      <noscript>
        <NotFoundScreen />
      </noscript>
    </>
  );
}

export default function QrRedirect() {
  return <Redirecting />;
}

function Redirecting() {
  const { common, notFound, redirect } = useTexts();
  return (
    <Waiting
      text={redirect.redirecting}
      withoutScript={
        <>
          {common.needsScript}{' '}
          <a className="inline-flex min-h-11 items-center font-semibold text-primary underline" href="/">
            {notFound.home}
          </a>
        </>
      }
    />
  );
}

/** Whether a visitor would find an item here. A failed lookup must not prevent a sign-up. */
async function hasItem(code: string): Promise<boolean> {
  const item = await findItem(await dataClient(), code).catch(() => null);
  return item !== null;
}
