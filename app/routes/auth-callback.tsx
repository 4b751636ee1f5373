import { CallbackScreen } from '#app/features/sign-in/link/callback-screen.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { callback } from '#domain/texts/screens/callback.ts';
import type { Route } from './+types/auth-callback.ts';

export function meta({ matches }: Route.MetaArgs) {
  // Must not be indexed by search engines.
  return [pageTitle(() => callback(siteOf(matches).language).title, matches), { name: 'robots', content: 'noindex' }];
}

export default function AuthCallback() {
  return (
    <Page>
      <CallbackScreen />
    </Page>
  );
}
