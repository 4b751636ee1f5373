import { ScanLine, Sheet } from 'lucide-react';
import { type ComponentType, useRef } from 'react';
import { redirect } from 'react-router';
import { useHashDialog } from '#app/browser/use-hash-dialog.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { clearStoredTagCode, storedTagCode } from '#app/client/stored-tag-code.ts';
import { type DashboardData, dashboardLoad, loadItemFinder } from '#app/data/early/load-dashboard.ts';
import { SHORT_LIST } from '#app/data/items.ts';
import { ContactMethodsLine } from '#app/features/owner/contact-methods/contact-methods-line.tsx';
import { findUnreachable, UnreachableLine } from '#app/features/owner/contact-methods/unreachable-line.tsx';
import { ItemGrid, type ItemGridProps, NoItems } from '#app/features/owner/items/item-grid.tsx';
import { useLateLines } from '#app/features/owner/late-lines/use-late-lines.ts';
import { NoName } from '#app/features/owner/no-name.tsx';
import { useAnnounceMessages } from '#app/features/owner/threads/announce-messages.ts';
import { UnreadTotal } from '#app/features/owner/threads/unread-total.tsx';
import { LazyScanner } from '#app/features/scanner/lazy-scanner.tsx';
import { useOpenScanned } from '#app/features/scanner/use-open-scanned.ts';
import { EmailRefusedLine, EmailTroubleLine } from '#app/features/settings/profile/email-trouble-line.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { readLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import { firstName } from '#domain/item/first-name.ts';
import { SCAN_HASH } from '#domain/tag-code/scan-address.ts';
import type { Route } from './+types/dashboard.ts';

/** For the few with something that changes hands. */
const loadTransferLines = loadOnce(() => loadPart(() => import('#app/features/giving/transfer-lines.tsx')));
/** For the few whom something no longer reaches. */
const loadStoppedLine = loadOnce(
  async () => (await loadPart(() => import('#app/features/owner/stopped-line.tsx'))).StoppedLine,
);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  // Before anything can redirect.
  const load = dashboardLoad('/dashboard');
  const loaded = await staleIfError(storedUserId(), 'dashboard', async () => {
    const session = await requireSession(request);
    const code = storedTagCode();
    if (code !== null) {
      // Redirected once; on a later visit the dashboard itself is shown.
      clearStoredTagCode();
      throw redirect(`/item/${code}`);
    }
    const data = await load(session.user);
    const { offers, hasGiven } = data.transfers;
    const [lines, StoppedLine, ItemFinder] = await Promise.all([
      offers.length > 0 || hasGiven ? loadTransferLines() : null,
      data.stoppedPush === null ? null : loadStoppedLine().catch(() => null),
      // Without it the items are there all the same.
      data.items.length > SHORT_LIST ? loadItemFinder().catch(() => null) : null,
    ]);
    return { ...data, lines, StoppedLine, Items: ItemFinder ?? ItemGrid };
  });
  // Reported once, although loading is retried every few seconds.
  if (loaded.isStale && !isStaleShown)
    showToast('failure', readLanguage().texts.toasts.loadItemsFailed, { about: 'items' });
  isStaleShown = loaded.isStale;
  return loaded;
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<
  DashboardData & {
    readonly lines: Awaited<ReturnType<typeof loadTransferLines>> | null;
    readonly StoppedLine: Awaited<ReturnType<typeof loadStoppedLine>> | null;
    readonly Items: ComponentType<ItemGridProps>;
  }
>();
let isStaleShown = false;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ dashboard }) => dashboard.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const { userId, items, unread, waiting, contactMethods, transfers, lines, Items, isStale, loadedAt } = loaderData;
  const { dashboard } = useTexts();
  const name = firstName(contactMethods.fullName);
  const [tagging, setTagging] = useHashDialog(SCAN_HASH);
  const title = useRef<HTMLHeadingElement>(null);
  // The user is signed in, so a free code leads directly to the tagging form.
  const onScan = useOpenScanned((code) => `/item/${code}`);
  useAnnounceMessages(userId, items, loadedAt);

  return (
    <Page width="wide" signedIn>
      <div className="flex flex-col gap-3 sm:gap-6">
        <div className="flex flex-wrap items-end justify-between gap-3 sm:gap-4">
          <div className="grow">
            <div className="flex flex-wrap items-center justify-between gap-x-4 sm:justify-start">
              {name !== null ? (
                <p className="text-ink-soft">
                  <WithName of={dashboard.greeting} name={name} />
                </p>
              ) : (
                contactMethods.fullName !== null && <NoName />
              )}
              <UnreadTotal items={items} unread={unread} />
            </div>
            <h1 ref={title} tabIndex={-1} className="font-bold text-2xl sm:text-3xl">
              {dashboard.title}
            </h1>
          </div>
          <Button onClick={() => setTagging(true)}>
            <ScanLine className="size-5" aria-hidden="true" />
            {dashboard.scanToTag}
          </Button>
        </div>
        {isStale && <StaleNotice />}
        {lines !== null && <lines.OfferLines offers={transfers.offers} />}
        {/* Another account of this browser has lines of its own. */}
        <NextTask
          key={loaderData.userId}
          {...loaderData}
          onDone={() => title.current?.focus({ preventScroll: true })}
        />
        {items.length === 0 ? (
          <NoItems />
        ) : (
          <Items items={items} unread={unread} waiting={waiting} onTagNew={() => setTagging(true)} />
        )}
        <LinkButton variant="quiet" to="/spreadsheet" className="self-center">
          <Sheet className="size-5" aria-hidden="true" />
          {dashboard.spreadsheet}
        </LinkButton>
        {lines !== null && transfers.hasGiven && <lines.GivenLink />}
      </div>
      <LazyScanner mode="tag" open={tagging} onOpenChange={setTagging} onScan={onScan} />
    </Page>
  );
}

/** Shows the most urgent task in one line. The next one appears once it is done. */
function NextTask({
  userId,
  items,
  contactMethods,
  emailTrouble,
  stoppedPush,
  StoppedLine,
  onDone,
}: Route.ComponentProps['loaderData'] & { readonly onDone: () => void }) {
  const { changeLine, passkeyOffer, endOffer } = useLateLines();
  const { hasMail } = usePublicConfig();
  // Someone else may be in the account.
  if (changeLine !== null) return changeLine;
  // Before all else: what finders write reaches the owner in the app alone.
  if (hasMail && contactMethods.refusedEmail !== null) return <EmailRefusedLine email={contactMethods.refusedEmail} />;
  const [unreachable, ...others] = findUnreachable(items, contactMethods.channels);
  if (unreachable !== undefined)
    return <UnreachableLine items={[unreachable, ...others]} account={contactMethods.channels} />;
  // Before a stopped device: no message reaches the owner outside the app then.
  if (emailTrouble !== null && emailTrouble.unprovedNotices >= UNPROVED_NOTICES)
    return <EmailTroubleLine {...emailTrouble} />;
  if (stoppedPush !== null && StoppedLine !== null) return <StoppedLine {...stoppedPush} />;
  const endAndGoOn = () => {
    endOffer();
    onDone();
  };
  // The lines that follow may stay for long, and this one is made once.
  if (passkeyOffer !== null) {
    const { Offer, signedInAt } = passkeyOffer;
    return <Offer userId={userId} signedInAt={signedInAt} onEnd={endAndGoOn} />;
  }
  if (emailTrouble !== null) return <EmailTroubleLine {...emailTrouble} />;
  if (!contactMethods.areChosen && items.length > 0)
    return <ContactMethodsLine ownerId={userId} open={contactMethods.channels} onChosen={onDone} />;
  return null;
}

export function ErrorBoundary() {
  const { dashboard } = useTexts();
  return (
    <Page width="wide" signedIn>
      <h1 className="mb-6 font-bold text-3xl">{dashboard.title}</h1>
      <LoadFailed title={dashboard.loadFailed} text={dashboard.loadFailedText} />
    </Page>
  );
}
