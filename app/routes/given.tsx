import type { ReactNode } from 'react';
import { redirect } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { type ConversationState, loadConversationStates } from '#app/data/conversation-states.ts';
import { loadThreadView } from '#app/data/early/load-thread-view.ts';
import { loadMessages, type Message } from '#app/data/messages.ts';
import { countUnread } from '#app/data/news/item-news.ts';
import {
  type GivenBefore,
  type GivenItem,
  type GivenItemsPage,
  loadGivenItem,
  loadGivenItems,
} from '#app/data/transfers/given-items.ts';
import { givenBefore } from '#app/features/giving/given-before.ts';
import { GivenItems, GivenTo } from '#app/features/giving/given-items.tsx';
import { ThreadList } from '#app/features/owner/threads/thread-list.tsx';
import { BackLink, Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { givingWords } from '#words/giving.ts';
import type { Route } from './+types/given.ts';

interface GivenList {
  readonly view: 'list';
  readonly userId: string;
  readonly page: GivenItemsPage;
  readonly before: GivenBefore | null;
  /** Unread messages by item id. */
  readonly unread: ReadonlyMap<string, number>;
}

interface GivenConversations {
  readonly view: 'conversations';
  readonly userId: string;
  readonly item: GivenItem;
  readonly messages: readonly Message[];
  /** By conversation. */
  readonly conversations: ReadonlyMap<string, ConversationState>;
}

export async function clientLoader({ request, params: { itemId } }: Route.ClientLoaderArgs) {
  const before = givenBefore(new URL(request.url));
  return staleIfError(storedUserId(), itemId ?? before?.id ?? 'list', async () => {
    const { user } = await requireSession(request);
    const client = await browserClient();
    if (itemId === undefined) {
      const [page, unread] = await Promise.all([loadGivenItems(client, before), countUnread(client)]);
      return { view: 'list', userId: user.id, page, before, unread };
    }
    const item = await loadGivenItem(client, itemId);
    if (item === null) throw redirect('/given');
    const [messages, conversations] = await Promise.all([
      loadMessages(client, item.id),
      loadConversationStates(client, item.id),
    ]);
    if (messages.length > 0) await loadThreadView();
    return { view: 'conversations', userId: user.id, item, messages, conversations };
  });
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<GivenList | GivenConversations>();

export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [
    pageTitle(
      () =>
        loaderData?.view === 'conversations'
          ? isolateName(loaderData.item.itemName)
          : givingWords(siteOf(matches).language).given.title,
      matches,
    ),
  ];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function GivenPage({ loaderData }: Route.ComponentProps) {
  const texts = givingWords(useLanguage()).given;
  const { owner } = useTexts().item;
  if (loaderData.view === 'list') {
    return (
      <GivenFrame backTo="/dashboard" title={texts.title} isStale={loaderData.isStale}>
        <p className="text-ink-soft">{texts.lead}</p>
        <GivenItems page={loaderData.page} before={loaderData.before} unread={loaderData.unread} />
      </GivenFrame>
    );
  }
  const { item, messages, conversations, isStale } = loaderData;
  return (
    <GivenFrame backTo="/given" title={<bdi>{item.itemName}</bdi>} isStale={isStale}>
      <p className="wrap-anywhere text-ink-soft">
        <GivenTo item={item} />
      </p>
      <Alert tone="info" quiet>
        {texts.readOnly}
      </Alert>
      <h2 className="font-bold text-xl">{owner.messages}</h2>
      <ThreadList messages={messages} conversations={conversations} returnCodes={NONE} isStale={isStale} item={null} />
    </GivenFrame>
  );
}

/** Finders of an item that was given away cannot come back to its conversations. */
const NONE: ReadonlyMap<string, string> = new Map();

export function ErrorBoundary() {
  const texts = givingWords(useLanguage()).given;
  return (
    <GivenFrame backTo="/dashboard" title={texts.title} isStale={false}>
      <LoadFailed title={texts.loadFailed} text={texts.loadFailedText} />
    </GivenFrame>
  );
}

interface GivenFrameProps {
  readonly backTo: string;
  readonly title: ReactNode;
  readonly isStale: boolean;
  readonly children: ReactNode;
}

function GivenFrame({ backTo, title, isStale, children }: GivenFrameProps) {
  return (
    <Page width="text" signedIn start={<BackLink to={backTo} />}>
      <div className="flex flex-col gap-5">
        <h1 className="wrap-anywhere font-bold text-3xl">{title}</h1>
        {isStale && <StaleNotice />}
        {children}
      </div>
    </Page>
  );
}
