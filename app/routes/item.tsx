import type { Session } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { FinderView } from '#app/features/finder/finder-view.tsx';
import { OwnerView } from '#app/features/owner/owner-view.tsx';
import { ItemPhoto } from '#app/features/photos/item-photo.tsx';
import { ItemFrame } from '#app/features/site/item-frame.tsx';
import { NotFoundScreen } from '#app/features/site/not-found-screen.tsx';
import { NothingHere } from '#app/features/site/nothing-here.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { TaggingScreen } from '#app/features/tagging/tagging-screen.tsx';
import type { AppClient } from '#app/lib/app-client.ts';
import { authPath } from '#app/lib/auth-path.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { loadAccountWays, loadOpenings } from '#app/lib/channels.ts';
import { findItem } from '#app/lib/find-item.ts';
import { findOwnItem, type Item } from '#app/lib/items.ts';
import { rememberLastGood } from '#app/lib/last-good.ts';
import { LoadFailed } from '#app/lib/load-failed.tsx';
import { loadMessages } from '#app/lib/messages.ts';
import { newItemCode } from '#app/lib/new-item-code.ts';
import { findCodeOwner } from '#app/lib/qr-code-owner.ts';
import { currentSession, mayHaveSession } from '#app/lib/session.ts';
import { clearStoredTagCode, storedTagCode } from '#app/lib/stored-tag-code.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Waiting } from '#app/ui/waiting.tsx';
import { APP_QUERY } from '#domain/app-query.ts';
import { givenName } from '#domain/found-item.ts';
import { en } from '#domain/messages/en.ts';
import { isTagCode, NEW_ITEM } from '#domain/tag-code.ts';
import type { Route } from './+types/item.ts';

export async function clientLoader({ request, params: { qrId } }: Route.ClientLoaderArgs) {
  const legacyCode = new URL(request.url).searchParams.get('code');
  if (legacyCode !== null && isTagCode(legacyCode)) throw redirect(`/item/${legacyCode}`);
  // The address that is passed on is the item's own.
  if (new URLSearchParams(location.search).has(APP_QUERY)) history.replaceState(history.state, '', location.pathname);
  const session = mayHaveSession() ? await currentSession() : null;
  const shown = await lastGood(`${session?.user.id} ${qrId}`, () => chooseView(qrId, session));
  // The way here has been taken: a signed-in person has arrived, and a code that has an item is not there to be tagged.
  const hasArrived = session !== null || shown.view === 'owner' || shown.view === 'finder';
  if (hasArrived && storedTagCode() === qrId) clearStoredTagCode();
  return { ...shown, signedIn: session !== null };
}
clientLoader.hydrate = true as const;

const lastGood = rememberLastGood<Awaited<ReturnType<typeof chooseView>>>();

async function chooseView(qrId: string, session: Session | null) {
  if (!isTagCode(qrId)) return { view: 'nowhere' as const };
  if (qrId === NEW_ITEM) {
    if (session === null) throw redirect(authPath(null));
    return { view: 'tagging' as const, code: newItemCode(), withoutSticker: true };
  }
  const client = await browserClient();
  const own = session && (await findOwnItem(client, qrId));
  if (own) return { view: 'owner' as const, ...(await loadOwnerView(client, own)) };
  const [found, holder] = await Promise.all([
    findItem(client, qrId).catch((cause: unknown) => {
      throw new OwnerNotAsked('The owner of an item could not be asked for.', { cause });
    }),
    session && findCodeOwner(client, qrId),
  ]);
  // A finder's view of a code that the visitor claimed themselves: nothing is tagged with it yet.
  const isOwn = session !== null && holder === session.user.id;
  if (found !== null && !isOwn) {
    return { view: 'finder' as const, code: qrId, found, isTaken: session !== null && givenName(found) === null };
  }
  return session === null
    ? { view: 'nothing' as const, code: qrId }
    : { view: 'tagging' as const, code: qrId, withoutSticker: false };
}

/** What a finder would see could not be had. */
class OwnerNotAsked extends Error {}

async function loadOwnerView(client: AppClient, item: Item) {
  const [messages, openings, ways] = await Promise.all([
    loadMessages(client, item.id),
    loadOpenings(client, item.id),
    loadAccountWays(client, item.userId),
  ]);
  return { item, messages, openings, ways };
}

export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [pageTitle(loaderData?.view === 'owner' ? loaderData.item.itemName : en.item.title, matches)];
}

export function HydrateFallback() {
  const { common } = useMessages();
  return <Waiting text={common.loading} withoutScript={common.needsScript} />;
}

const WIDTHS = { owner: 'wide', finder: 'bare', tagging: 'broad', nothing: 'narrow' } as const;

export default function ItemPage({ loaderData }: Route.ComponentProps) {
  const messages = useMessages();
  if (loaderData.view === 'nowhere') return <NotFoundScreen />;
  return (
    <ItemFrame signedIn={loaderData.signedIn} width={WIDTHS[loaderData.view]}>
      {loaderData.view === 'owner' && (
        <OwnerView key={loaderData.item.id} {...loaderData} photo={<ItemPhoto item={loaderData.item} />} />
      )}
      {loaderData.view === 'finder' && (
        <>
          {loaderData.isTaken && (
            <div className="mx-auto w-full max-w-xl px-4 pb-4 sm:px-6">
              <Alert tone="info" quiet>
                {messages.scanner.registeredToAnother}
              </Alert>
            </div>
          )}
          <FinderView code={loaderData.code} item={loaderData.found} messages={messages} />
        </>
      )}
      {loaderData.view === 'tagging' && (
        <TaggingScreen key={loaderData.code} code={loaderData.code} withoutSticker={loaderData.withoutSticker} />
      )}
      {loaderData.view === 'nothing' && <NothingHere code={loaderData.code} />}
    </ItemFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { dashboard, item, ownerRetrieval } = useMessages();
  const ofOwner = error instanceof OwnerNotAsked;
  return (
    <ItemFrame signedIn={mayHaveSession()} width="narrow">
      <h1 className="mb-6 font-bold text-3xl">{item.title}</h1>
      <LoadFailed
        title={ofOwner ? ownerRetrieval.title : item.loadFailed}
        text={ofOwner ? ownerRetrieval.failed(ownerRetrieval.unanswered) : dashboard.loadFailedText}
      />
    </ItemFrame>
  );
}
