import type { ReactNode } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { loadOwnItems } from '#app/data/items.ts';
import { BackLink, Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { type BlankCodes, loadBlankCodes } from '#app/features/stickers/blank/blank-codes.ts';
import type { ItemStickers } from '#app/features/stickers/items/item-stickers.ts';
import type { SavedLabels } from '#app/features/stickers/measured/saved-labels.ts';
import { useStickerTexts } from '#app/features/stickers/use-sticker-texts.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import type { Route } from './+types/stickers.ts';

/** Apart from the route, whose code every owner's browser fetches in advance. */
const loadScreen = loadOnce(
  async () => (await loadPart(() => import('#app/features/stickers/stickers-screen.tsx'))).StickersScreen,
);
const loadLook = loadOnce(() => loadPart(() => import('#app/features/stickers/kept-look.ts')));
const loadItemStickers = loadOnce(() => loadPart(() => import('#app/features/stickers/items/item-stickers.ts')));
const loadLabels = loadOnce(() => loadPart(() => import('#app/features/stickers/measured/saved-labels.ts')));

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const load = async () => {
    const { user } = await requireSession(request);
    const client = await browserClient();
    const { loadFurtherStickers, withStickers } = await loadItemStickers();
    const [items, further, blank, labels] = await Promise.all([
      loadOwnItems(client, user.id),
      loadFurtherStickers(client, user.id),
      loadBlankCodes(client),
      loadLabels().then(({ loadSavedLabels }) => loadSavedLabels(client)),
    ]);
    return { userId: user.id, items: withStickers(items, further), blank, labels };
  };
  const [loaded, Screen, { keptLook }] = await Promise.all([
    staleIfError(storedUserId(), 'stickers', load),
    loadScreen(),
    loadLook(),
  ]);
  const look = await keptLook(loaded.userId);
  return { ...loaded, Screen, look, code: new URL(request.url).searchParams.get('item') };
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<{
  userId: string;
  items: readonly ItemStickers[];
  blank: readonly BlankCodes[];
  labels: readonly SavedLabels[];
}>();

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ sticker }) => sticker.printSeveral, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function Stickers({
  loaderData: { userId, items, blank, labels, Screen, look, code, isStale },
}: Route.ComponentProps) {
  const texts = useStickerTexts();
  return (
    <StickersFrame>
      <p className="max-w-prose text-ink-soft">{items.length === 0 ? texts.emptyText : texts.lead}</p>
      {isStale && <StaleNotice />}
      {items.length === 0 && (
        <LinkButton to="/item/new-item" className="self-start">
          {texts.emptyLink}
        </LinkButton>
      )}
      {/* Keyed by account: what was chosen must not carry over to another account that signs in. */}
      <Screen key={userId} userId={userId} keptLook={look} items={items} blank={blank} labels={labels} code={code} />
    </StickersFrame>
  );
}

export function ErrorBoundary() {
  const texts = useStickerTexts();
  return (
    <StickersFrame>
      <LoadFailed title={texts.loadFailed} text={texts.loadFailedText} />
    </StickersFrame>
  );
}

function StickersFrame({ children }: { readonly children: ReactNode }) {
  const { sticker } = useTexts();
  return (
    <Page width="wide" home="/dashboard" start={<BackLink to="/dashboard" />}>
      <div className="flex flex-col gap-6">
        <h1 className="font-bold text-3xl">{sticker.printSeveral}</h1>
        {children}
      </div>
    </Page>
  );
}
