import type { ReactNode } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { type Item, loadOwnItems } from '#app/data/items.ts';
import { loadFurtherCodes } from '#app/data/stickers.ts';
import { BackLink, Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { DownloadSheet } from '#app/features/spreadsheet/download-sheet.tsx';
import { UploadSheet } from '#app/features/spreadsheet/upload-sheet.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { spreadsheetWords } from '#words/spreadsheet.ts';
import type { Route } from './+types/spreadsheet.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return staleIfError(storedUserId(), 'spreadsheet', async () => {
    const session = await requireSession(request);
    const { id: userId } = session.user;
    const client = await browserClient();
    const [items, furtherCodes] = await Promise.all([loadOwnItems(client, userId), loadFurtherCodes(client, userId)]);
    return { userId, items, furtherCodes };
  });
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<{ userId: string; items: Item[]; furtherCodes: ReadonlyMap<string, string> }>();

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => spreadsheetWords(siteOf(matches).language).title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function SpreadsheetPage({
  loaderData: { userId, items, furtherCodes, isStale },
}: Route.ComponentProps) {
  const texts = spreadsheetWords(useLanguage());
  return (
    <SpreadsheetFrame>
      <div className="flex flex-col gap-6">
        <div>
          <h1 className="font-bold text-3xl">{texts.title}</h1>
          <p className="mt-2 text-ink-soft">{texts.lead}</p>
        </div>
        {isStale && <StaleNotice />}
        <DownloadSheet items={items} />
        {/* Keyed by account: a file must not be saved to another account that signs in. */}
        <UploadSheet key={userId} items={items} furtherCodes={furtherCodes} />
      </div>
    </SpreadsheetFrame>
  );
}

export function ErrorBoundary() {
  const texts = spreadsheetWords(useLanguage());
  return (
    <SpreadsheetFrame>
      <h1 className="mb-6 font-bold text-3xl">{texts.title}</h1>
      <LoadFailed title={texts.loadFailed} text={texts.loadFailedText} />
    </SpreadsheetFrame>
  );
}

function SpreadsheetFrame({ children }: { readonly children: ReactNode }) {
  return (
    <Page width="text" signedIn start={<BackLink to="/dashboard" />}>
      {children}
    </Page>
  );
}
