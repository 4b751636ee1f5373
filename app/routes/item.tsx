import type { Session } from '@supabase/supabase-js';
import type { ComponentProps } from 'react';
import { redirect, type ShouldRevalidateFunctionArgs, useRevalidator, useRouteLoaderData } from 'react-router';
import { dataClient } from '#app/client/browser-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import type { EarlyScripts } from '#app/client/request-context.ts';
import { authPath } from '#app/client/return-path.ts';
import { mayHaveSession, storedUserId } from '#app/client/session.ts';
import { clearStoredTagCode, storedTagCode } from '#app/client/stored-tag-code.ts';
import { loadAccountContactMethods } from '#app/data/contact-methods.ts';
import { ownItemLoad } from '#app/data/early/load-own-item.ts';
import { rememberScannedAddress, takeFirstScan } from '#app/data/first-scan.ts';
import { loadOwnItems } from '#app/data/items.ts';
import { findItemOfFurtherCode } from '#app/data/stickers.ts';
import { canClaimCode, findCodeOwner, findItem, findVoidReason, newItemCode } from '#app/data/tag-codes.ts';
import { GivingRow } from '#app/features/giving/giving-row.tsx';
import { isVisitDue } from '#app/features/owner/is-visit-due.ts';
import { OwnerView } from '#app/features/owner/owner-view.tsx';
import { StickersRow } from '#app/features/owner/stickers/stickers-row.tsx';
import { ItemPhoto } from '#app/features/photos/item-photo.tsx';
import { LazyScanner } from '#app/features/scanner/lazy-scanner.tsx';
import { useOpenScanned } from '#app/features/scanner/use-open-scanned.ts';
import { ItemFrame, ItemLoading } from '#app/features/site/item-frame.tsx';
import { NotFoundScreen, NothingHere } from '#app/features/site/not-found-screen.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import type { ScannerSlot } from '#app/features/tagging/tagged-success.tsx';
import { readLanguage, useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { isOtherStep, stepIn, type VisitStep } from '#app/item/first-visit-steps.ts';
import { VoidCodeNotice } from '#app/item/sticker/void-code-notice.tsx';
import { LoadFailed } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { givenName } from '#domain/item/found-item.ts';
import { APP_QUERY } from '#domain/tag-code/app-query.ts';
import { NEXT_SCAN_HASH } from '#domain/tag-code/scan-address.ts';
import { isTagCode, NEW_ITEM } from '#domain/tag-code/tag-code.ts';
import type { Route } from './+types/item.ts';

/** For signed-in users who open the page of another's item, and owners who see what finders see. */
const loadFinderView = loadOnce(async () => {
  const [{ FinderScreen }, { loadDesks }, { typedCodeOf }] = await Promise.all([
    loadPart(() => import('#app/features/finder/finder-view.tsx')),
    loadPart(() => import('#app/features/finder/hand-in/load-desks.ts')),
    loadPart(() => import('#domain/tag-code/derive-typed-code.ts')),
  ]);
  const FinderView = (props: Omit<ComponentProps<typeof FinderScreen>, 'typedCode' | 'hasMail'>) => (
    <FinderScreen {...props} typedCode={typedCodeOf(props.code)} hasMail={usePublicConfig().hasMail} />
  );
  return { FinderView, loadDesks };
});

/** For a code without an item. */
const loadTagging = loadOnce(
  async () => (await loadPart(() => import('#app/features/tagging/tagging-screen.tsx'))).TaggingScreen,
);
/** For an item that needs a sticker, or whose sticker was scanned for the first time. */
const loadStickerState = loadOnce(() => loadPart(() => import('#app/features/owner/stickers/sticker-state.tsx')));

/** For the first item of a new owner. */
const loadVisit = loadOnce(async () => {
  const [{ FirstVisit }, { CompactItemPhoto }] = await Promise.all([
    loadPart(() => import('#app/features/owner/first-visit/first-visit.tsx')),
    loadPart(() => import('#app/features/photos/compact-item-photo.tsx')),
  ]);
  return { FirstVisit, Photo: CompactItemPhoto };
});

export async function clientLoader({ request, params: { qrId } }: Route.ClientLoaderArgs) {
  // Before anything can redirect.
  const load = ownItemLoad(qrId);
  const legacyCode = new URL(request.url).searchParams.get('code');
  if (legacyCode !== null && isTagCode(legacyCode)) throw redirect(`/item/${legacyCode}`);
  rememberScannedAddress(qrId);
  // The URL to share is the item's own.
  if (new URLSearchParams(location.search).has(APP_QUERY)) history.replaceState(history.state, '', location.pathname);
  const shown = await staleIfError(storedUserId(), qrId, async () => {
    const session = mayHaveSession() ? await currentSession() : null;
    return {
      ...(await chooseView(qrId, session, load, stepIn(new URL(request.url).search))),
      userId: session?.user.id ?? null,
      unconfirmedEmail: unconfirmedEmailOf(session),
    };
  });
  // The stored code has served its purpose: a signed-in user has arrived, and a code with an item cannot be tagged.
  const signedIn = shown.userId !== null;
  const hasArrived = signedIn || shown.view === 'owner' || shown.view === 'finder';
  if (hasArrived && storedTagCode() === qrId) clearStoredTagCode();
  const isFirstScan = await takeFirstScan();
  const works = isFirstScan && shown.view === 'owner' ? await loadWorks(qrId) : null;
  return { ...shown, works, signedIn };
}
clientLoader.hydrate = true as const;

/**
 * The router loads data anew where a hash is removed. The success after tagging would then be replaced by the item's page
 * when its scanner closes. A step of the first visit shows what is loaded, also offline.
 */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isClosed = currentUrl.hash === NEXT_SCAN_HASH && nextUrl.pathname === currentUrl.pathname;
  return isClosed || isOtherStep(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
}

/** Loads what an owner sees after the first scan of a sticker. Null where it cannot be loaded: the item is shown then. */
async function loadWorks(qrId: string) {
  const load = async () => {
    const [{ StickerWorks }, { FinderView }, found] = await Promise.all([
      loadStickerState(),
      loadFinderView(),
      findItem(await dataClient(), qrId),
    ]);
    return found && { StickerWorks, FinderView, found };
  };
  return load().catch(() => null);
}

const staleIfError = createStaleIfError<Awaited<ReturnType<typeof chooseView>> & Signed>();

interface Signed {
  readonly userId: string | null;
  /** The account's address, as long as it is not known to be confirmed. */
  readonly unconfirmedEmail: string | null;
}

function unconfirmedEmailOf(session: Session | null): string | null {
  const { email = '', email_confirmed_at } = session?.user ?? {};
  return email === '' || !readPublicConfig().hasMail || email_confirmed_at !== undefined ? null : email;
}

async function chooseView(
  qrId: string,
  session: Session | null,
  load: ReturnType<typeof ownItemLoad>,
  step: VisitStep | null,
) {
  if (!isTagCode(qrId)) return { view: 'nowhere' as const };
  if (qrId === NEW_ITEM) {
    if (session === null) throw redirect(authPath(null));
    const [TaggingScreen, isFirst] = await Promise.all([loadTagging(), wasNeverAsked(session.user.id)]);
    return { view: 'tagging' as const, code: newItemCode(), withoutSticker: true, isFirst, items: [], TaggingScreen };
  }
  const own = session && (await load(session.user));
  if (own) {
    // Without them the item is there all the same.
    const [state, visit] = await Promise.all([
      own.item.needsSticker ? loadStickerState().catch(() => null) : null,
      step !== null || isVisitDue(own) ? loadVisit().catch(() => null) : null,
    ]);
    return { view: 'owner' as const, ...own, visit, StickerNeeded: state?.StickerNeeded };
  }
  const client = await dataClient();
  const [found, holder] = await Promise.all([
    findItem(client, qrId).catch((cause: unknown) => {
      throw new OwnerNotAsked('The owner of an item could not be asked for.', { cause });
    }),
    session && findCodeOwner(client, qrId),
  ]);
  // A finder's view of a code that the visitor claimed: nothing is tagged with it yet.
  const isOwn = session !== null && holder === session.user.id;
  const furtherCodeOf = isOwn ? await findItemOfFurtherCode(client, qrId) : null;
  if (furtherCodeOf !== null) throw redirect(`/item/${furtherCodeOf.qrId}`);
  if (found !== null && !isOwn) {
    const isTaken = session !== null && givenName(found) === null;
    const { FinderView, loadDesks } = await loadFinderView();
    const desks = await loadDesks(client, readLanguage().tag);
    return { view: 'finder' as const, code: qrId, found, isTaken, desks, FinderView };
  }
  const voidReason = isOwn && found === null ? await findVoidReason(client, qrId) : null;
  if (voidReason !== null) return { view: 'void' as const, voidReason };
  const isClaimable = isOwn || (await canClaimCode(client, qrId));
  if (session === null || !isClaimable) return { view: 'nothing' as const, code: qrId, isClaimable };
  const [items, TaggingScreen] = await Promise.all([loadOwnItems(client, session.user.id), loadTagging()]);
  return { view: 'tagging' as const, code: qrId, withoutSticker: false, isFirst: false, items, TaggingScreen };
}

/** Whether the owner has not chosen yet how finders reach them: a new owner, whose first visit goes on after tagging. */
async function wasNeverAsked(userId: string): Promise<boolean> {
  const load = async () => !(await loadAccountContactMethods(await dataClient(), userId)).areChosen;
  return load().catch(() => false);
}

/** The finder's view of the item could not be loaded. */
class OwnerNotAsked extends Error {}

export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [
    pageTitle(
      ({ item }) => (loaderData?.view === 'owner' ? isolateName(loaderData.item.itemName) : item.title),
      matches,
    ),
  ];
}

export function HydrateFallback() {
  const root = useRouteLoaderData<{ earlyScripts: EarlyScripts | null }>('root');
  // The server sends them to signed-in users.
  return <ItemLoading signedIn={root?.earlyScripts != null} />;
}

const WIDTHS = { owner: 'wide', finder: 'bare', tagging: 'broad', nothing: 'narrow', void: 'narrow' } as const;

export default function ItemPage({ loaderData, params: { qrId } }: Route.ComponentProps) {
  const language = useLanguage();
  const { hasMail } = usePublicConfig();
  const { revalidate, state } = useRevalidator();
  if (loaderData.view === 'nowhere') return <NotFoundScreen />;
  return (
    <ItemFrame signedIn={loaderData.signedIn} width={WIDTHS[loaderData.view]}>
      {loaderData.works !== null && (
        <loaderData.works.StickerWorks
          finderView={<loaderData.works.FinderView code={qrId} item={loaderData.works.found} conversation={null} />}
          isGoing={state === 'loading'}
          // Loaded anew, the page is the item's.
          onGoOn={() => void revalidate()}
        />
      )}
      {loaderData.view === 'owner' && loaderData.works === null && (
        <OwnerView
          key={loaderData.item.id}
          {...loaderData}
          photo={(isEditing) => <ItemPhoto item={loaderData.item} isEditing={isEditing} />}
          stickerNeeded={loaderData.StickerNeeded && <loaderData.StickerNeeded code={loaderData.item.qrId} />}
          giving={hasMail && <GivingRow item={loaderData.item} offer={loaderData.offer} />}
          stickers={
            <StickersRow
              item={loaderData.item}
              stickers={loaderData.stickers}
              renderScanner={(slot) => <LazyScanner mode="attach" onDemand {...slot} />}
            />
          }
        />
      )}
      {loaderData.view === 'finder' && (
        <>
          {loaderData.isTaken && (
            <div className="mx-auto w-full max-w-xl px-4 pb-4 sm:px-6">
              <Alert tone="info" quiet>
                {language.texts.scanner.registeredToAnother}
              </Alert>
            </div>
          )}
          <loaderData.FinderView code={loaderData.code} item={loaderData.found} desks={loaderData.desks} />
        </>
      )}
      {loaderData.view === 'tagging' && (
        <loaderData.TaggingScreen
          key={loaderData.code}
          {...loaderData}
          renderScanner={(slot) => <NextSticker {...slot} />}
        />
      )}
      {loaderData.view === 'void' && <VoidCode reason={loaderData.voidReason} />}
      {loaderData.view === 'nothing' && <NothingHere {...loaderData} />}
    </ItemFrame>
  );
}

/** The caller's own code without an item, which an operator has voided. */
function VoidCode({ reason }: { readonly reason: string }) {
  const { item } = useTexts();
  return (
    <div className="flex flex-col gap-6">
      <h1 className="font-bold text-3xl">{item.title}</h1>
      <VoidCodeNotice reason={reason} />
      <LinkButton variant="outline" to="/dashboard">
        {item.returnToDashboard}
      </LinkButton>
    </div>
  );
}

/** Reads the next sticker. A free one leads directly to the tagging form. */
function NextSticker(slot: ScannerSlot) {
  const onScan = useOpenScanned((code) => `/item/${code}`);
  return <LazyScanner mode="tag" onDemand {...slot} onScan={onScan} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { dashboard, item, ownerRetrieval } = useTexts();
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
