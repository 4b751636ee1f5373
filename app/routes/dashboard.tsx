import type { User } from '@supabase/supabase-js';
import { ScanLine } from 'lucide-react';
import { redirect, useNavigate } from 'react-router';
import { findUnreachable } from '#app/features/owner/find-unreachable.ts';
import { ItemGrid } from '#app/features/owner/item-grid.tsx';
import { NoItems } from '#app/features/owner/no-items.tsx';
import { ProfileLink } from '#app/features/owner/profile-link.tsx';
import { UnreachableLine } from '#app/features/owner/unreachable-line.tsx';
import { UnreadTotal } from '#app/features/owner/unread-total.tsx';
import { useAnnounceMessages } from '#app/features/owner/use-announce-messages.ts';
import { WaysLine } from '#app/features/owner/ways-line.tsx';
import { UnprovedEmail } from '#app/features/profile/email-state.tsx';
import { LazyScanner } from '#app/features/scanner/lazy-scanner.tsx';
import { useOpenScanned } from '#app/features/scanner/use-open-scanned.ts';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { loadAccountWays } from '#app/lib/channels.ts';
import { loadOwnItems } from '#app/lib/items.ts';
import { rememberLastGood } from '#app/lib/last-good.ts';
import { LoadFailed } from '#app/lib/load-failed.tsx';
import { countUnread } from '#app/lib/messages.ts';
import { loadUnprovedEmail } from '#app/lib/profile.ts';
import { requireSession } from '#app/lib/session.ts';
import { SignOutButton } from '#app/lib/sign-out-button.tsx';
import { StaleNotice } from '#app/lib/stale-notice.tsx';
import { clearStoredTagCode, storedTagCode } from '#app/lib/stored-tag-code.ts';
import { useHashDialog } from '#app/lib/use-hash-dialog.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { Waiting } from '#app/ui/waiting.tsx';
import { firstName } from '#domain/first-name.ts';
import { en } from '#domain/messages/en.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import { SCAN_HASH } from '#domain/scan-address.ts';
import type { Route } from './+types/dashboard.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const session = await requireSession(request);
  const code = resolveTagCode(new URL(request.url)) ?? storedTagCode();
  if (code !== null) {
    // Followed once; the dashboard is itself again when somebody comes back to it.
    clearStoredTagCode();
    throw redirect(`/item/${code}`);
  }
  const loaded = await lastGood(session.user.id, () => loadDashboard(session.user));
  // Once: it is tried again by itself every few seconds.
  if (loaded.isStale && !staleIsTold) showToast('failure', en.toasts.loadItemsFailed, { about: 'items' });
  staleIsTold = loaded.isStale;
  return { ...loaded, ownerId: session.user.id };
}
clientLoader.hydrate = true as const;

const lastGood = rememberLastGood<Awaited<ReturnType<typeof loadDashboard>>>();
let staleIsTold = false;

async function loadDashboard(user: User) {
  const ownerId = user.id;
  const client = await browserClient();
  const [items, unread, ways, unprovedEmail] = await Promise.all([
    loadOwnItems(client, ownerId),
    countUnread(client, ownerId),
    loadAccountWays(client, ownerId),
    loadUnprovedEmail(client, user),
  ]);
  return { items, unread, ways, unprovedEmail };
}

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(en.dashboard.title, matches)];
}

export function HydrateFallback() {
  const { common } = useMessages();
  return <Waiting text={common.loading} withoutScript={common.needsScript} />;
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const { ownerId, items, unread, ways, isStale, loadedAt } = loaderData;
  const { dashboard } = useMessages();
  const name = firstName(ways.fullName);
  const [tagging, setTagging] = useHashDialog(SCAN_HASH);
  // A free code goes straight to the form that tags with it: its owner-to-be is signed in already.
  const onScan = useOpenScanned((code) => `/item/${code}`);
  useAnnounceMessages(ownerId, items, loadedAt);

  return (
    <Page width="wide" home="/dashboard" actions={<DashboardActions />}>
      <div className="flex flex-col gap-6">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <div>
            {name !== null && <p className="text-ink-soft">{dashboard.greeting(name)}</p>}
            <h1 className="font-bold text-3xl">{dashboard.title}</h1>
            <UnreadTotal unread={unread} />
          </div>
          <Button onClick={() => setTagging(true)}>
            <ScanLine className="size-5" aria-hidden="true" />
            {dashboard.scanToTag}
          </Button>
        </div>
        {isStale && <StaleNotice />}
        <NeedsDoing {...loaderData} />
        {items.length === 0 ? (
          <NoItems />
        ) : (
          <ItemGrid items={items} unread={unread} onTagNew={() => setTagging(true)} />
        )}
      </div>
      <LazyScanner mode="tag" open={tagging} onOpenChange={setTagging} onScan={onScan} />
    </Page>
  );
}

/** The most urgent thing that needs doing, in one line. The next is said once it is done. */
function NeedsDoing({ ownerId, items, ways, unprovedEmail }: Route.ComponentProps['loaderData']) {
  const [unreachable, ...others] = findUnreachable(items, ways.channels);
  if (unreachable !== undefined) return <UnreachableLine items={[unreachable, ...others]} account={ways.channels} />;
  if (unprovedEmail !== null) return <UnprovedEmail email={unprovedEmail} />;
  if (!ways.areChosen && items.length > 0) return <WaysLine ownerId={ownerId} open={ways.channels} />;
  return null;
}

function DashboardActions() {
  const { dashboard, toasts } = useMessages();
  const navigate = useNavigate();
  const goToSignIn = () => {
    showAccountToast('success', toasts.signedOut);
    return navigate('/auth');
  };
  return (
    <>
      <ProfileLink />
      <SignOutButton label={dashboard.logout} onSignedOut={goToSignIn} />
    </>
  );
}

export function ErrorBoundary() {
  const { dashboard } = useMessages();
  return (
    <Page width="wide" home="/dashboard" actions={<DashboardActions />}>
      <h1 className="mb-6 font-bold text-3xl">{dashboard.title}</h1>
      <LoadFailed title={dashboard.loadFailed} text={dashboard.loadFailedText} />
    </Page>
  );
}
