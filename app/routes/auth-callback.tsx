import { CallbackScreen } from '#app/features/sign-in/link/callback-screen.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { accountLinksWords } from '#words/account-links.ts';
import type { Route } from './+types/auth-callback.ts';

export function meta({ matches }: Route.MetaArgs) {
  // Must not be indexed by search engines.
  return [
    pageTitle(() => accountLinksWords(siteOf(matches).language).callback.title, matches),
    { name: 'robots', content: 'noindex' },
  ];
}

export default function AuthCallback() {
  return (
    <Page>
      <CallbackScreen />
    </Page>
  );
}
