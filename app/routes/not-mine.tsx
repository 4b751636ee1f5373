import { NotMineScreen } from '#app/features/sign-in/link/not-mine-screen.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { accountLinksWords } from '#words/account-links.ts';
import type { Route } from './+types/not-mine.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [
    pageTitle(() => accountLinksWords(siteOf(matches).language).notMine.title, matches),
    { name: 'robots', content: 'noindex' },
  ];
}

export default function NotMine() {
  return (
    <Page>
      <NotMineScreen />
    </Page>
  );
}
