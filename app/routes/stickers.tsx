import type { ReactNode } from 'react';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { BackLink, Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { loadStickersScreen, stickersLoad } from '#app/features/stickers/items/load-stickers.ts';
import { useStickerTexts } from '#app/features/stickers/use-sticker-texts.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { LinkButton } from '#app/ui/button.tsx';
import type { Route } from './+types/stickers.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  // Before anything can redirect.
  const load = stickersLoad('/stickers');
  const [loaded, { StickersScreen, keptLook }] = await Promise.all([
    staleIfError(storedUserId(), 'stickers', async () => load((await requireSession(request)).user)),
    loadStickersScreen(),
  ]);
  const look = await keptLook(loaded.userId);
  return { ...loaded, Screen: StickersScreen, look, code: new URL(request.url).searchParams.get('item') };
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<Awaited<ReturnType<ReturnType<typeof stickersLoad>>>>();

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
    <Page width="wide" signedIn start={<BackLink to="/dashboard" />}>
      <div className="flex flex-col gap-6">
        <h1 className="font-bold text-3xl">{sticker.printSeveral}</h1>
        {children}
      </div>
    </Page>
  );
}
