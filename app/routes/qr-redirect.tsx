import { data, type Path, redirect, useLocation } from 'react-router';
import { NotFoundScreen } from '#app/features/site/not-found-screen.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { currentSession, mayHaveSession } from '#app/lib/session.ts';
import { rememberTagCode } from '#app/lib/stored-tag-code.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Waiting } from '#app/ui/waiting.tsx';
import { en } from '#domain/messages/en.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import type { Route } from './+types/qr-redirect.ts';

/** Only the browser knows whether an earlier scan left a code; to everybody else an address without one is not there. */
export function loader({ request }: Route.LoaderArgs) {
  return data(null, { status: isNowhere(new URL(request.url)) ? 404 : 200 });
}

function isNowhere({ pathname, search }: Pick<Path, 'pathname' | 'search'>): boolean {
  return pathname !== '/qr' && resolveTagCode({ pathname, search }) === null;
}

/** Stores the code and goes on: to its item where there is one or somebody is signed in, else to sign-up. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const code = rememberTagCode(new URL(request.url));
  if (code === null) throw redirect('/not-found');
  const signedIn = mayHaveSession() && (await currentSession()) !== null;
  if (signedIn || (await hasItem(code))) throw redirect(`/item/${code}`);
  throw redirect(`/auth/${code}`);
}
clientLoader.hydrate = true as const;

export function meta({ location, matches }: Route.MetaArgs) {
  return [pageTitle(isNowhere(location) ? en.notFound.title : en.redirect.title, matches)];
}

export function HydrateFallback() {
  if (!isNowhere(useLocation())) return <Redirecting />;
  // Without scripts no earlier scan was kept either, so this is where it ends.
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
  const { common, notFound, redirect } = useMessages();
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

/** Whether a visitor would find an item here. An answer that does not come must not keep anybody from it. */
async function hasItem(code: string): Promise<boolean> {
  const client = await browserClient();
  const { data, error } = await client.rpc('find_item', { qr_id_param: code });
  return error === null && data !== null;
}
