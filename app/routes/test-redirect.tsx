import { DebugScreen } from '#app/features/account/debug-screen.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { LoadFailed } from '#app/lib/load-failed.tsx';
import { findCodeOwner } from '#app/lib/qr-code-owner.ts';
import { currentSession, mayHaveSession } from '#app/lib/session.ts';
import { rememberTagCode } from '#app/lib/stored-tag-code.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Waiting } from '#app/ui/waiting.tsx';
import { en } from '#domain/messages/en.ts';
import type { Route } from './+types/test-redirect.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const code = rememberTagCode(new URL(request.url));
  const session = mayHaveSession() ? await currentSession() : null;
  const ownerId = code === null ? null : await findCodeOwner(await browserClient(), code);
  return { code, userId: session?.user.id ?? null, ownerId };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(en.debugPage.title, matches), { name: 'robots', content: 'noindex' }];
}

export function HydrateFallback() {
  const { common } = useMessages();
  return <Waiting text={common.loading} withoutScript={common.needsScript} />;
}

export default function TestRedirect({ loaderData }: Route.ComponentProps) {
  return (
    <Page>
      <DebugScreen {...loaderData} />
    </Page>
  );
}

export function ErrorBoundary() {
  const { debugPage } = useMessages();
  return (
    <Page>
      <LoadFailed title={debugPage.loadFailed} text={debugPage.failed} />
    </Page>
  );
}
