import { CallbackScreen } from '#app/features/account/callback-screen.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { en } from '#domain/messages/en.ts';
import type { Route } from './+types/auth-callback.ts';

export function meta({ matches }: Route.MetaArgs) {
  // No search engine has any business here.
  return [pageTitle(en.callback.title, matches), { name: 'robots', content: 'noindex' }];
}

export default function AuthCallback() {
  return (
    <Page>
      <CallbackScreen />
    </Page>
  );
}
