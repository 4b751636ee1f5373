import type { ReactNode } from 'react';
import { dataClient } from '#app/client/browser-client.ts';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { createInbox } from '#app/data/inbox/follow-inbox.ts';
import type { Inbox } from '#app/data/inbox/inbox.ts';
import { InboxList } from '#app/features/owner/inbox/inbox-list.tsx';
import { WaitingRows } from '#app/features/owner/inbox/waiting-rows.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { messagesWords } from '#words/messages.ts';
import type { Route } from './+types/messages.ts';

const { load, wantEarlier } = createInbox();

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return staleIfError(storedUserId(), 'messages', async () => {
    const { user } = await requireSession(request);
    return { userId: user.id, inbox: await load(await dataClient(), user.id) };
  });
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<{ readonly userId: string; readonly inbox: Inbox }>();

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => messagesWords(siteOf(matches).language).title, matches)];
}

export function HydrateFallback() {
  return (
    <MessagesFrame>
      <WaitingRows />
    </MessagesFrame>
  );
}

export default function Messages({ loaderData: { userId, inbox, isStale, loadedAt } }: Route.ComponentProps) {
  return (
    <MessagesFrame>
      {isStale && <StaleNotice />}
      {/* Keyed by account: what was asked for belongs to its list. */}
      <InboxList key={userId} userId={userId} inbox={inbox} loadedAt={loadedAt} wantEarlier={wantEarlier} />
    </MessagesFrame>
  );
}

export function ErrorBoundary() {
  const texts = messagesWords(useLanguage());
  return (
    <MessagesFrame>
      <LoadFailed title={texts.loadFailed} text={texts.loadFailedText} />
    </MessagesFrame>
  );
}

function MessagesFrame({ children }: { readonly children: ReactNode }) {
  const texts = messagesWords(useLanguage());
  return (
    <Page width="text" signedIn>
      <div className="flex flex-col gap-5">
        <h1 className="font-bold text-3xl">{texts.title}</h1>
        {children}
      </div>
    </Page>
  );
}
