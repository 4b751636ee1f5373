import { dataClient } from '#app/client/browser-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { rememberTagCode } from '#app/client/stored-tag-code.ts';
import { findCodeOwner } from '#app/data/tag-codes.ts';
import { DebugScreen } from '#app/features/sign-in/debug-screen.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LoadFailed } from '#app/resilience/load-failed.tsx';
import { debugPageWords } from '#words/debug-page.ts';
import type { Route } from './+types/test-redirect.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const code = rememberTagCode(new URL(request.url));
  const session = mayHaveSession() ? await currentSession() : null;
  const ownerId = code === null ? null : await findCodeOwner(await dataClient(), code);
  return { code, userId: session?.user.id ?? null, ownerId };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [
    pageTitle(() => debugPageWords(siteOf(matches).language).title, matches),
    { name: 'robots', content: 'noindex' },
  ];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function TestRedirect({ loaderData }: Route.ComponentProps) {
  return (
    <Page>
      <DebugScreen {...loaderData} />
    </Page>
  );
}

export function ErrorBoundary() {
  const texts = debugPageWords(useLanguage());
  return (
    <Page>
      <LoadFailed title={texts.loadFailed} text={texts.failed} />
    </Page>
  );
}
