import { NotMineScreen } from '#app/features/sign-in/link/not-mine-screen.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { notMine } from '#domain/texts/screens/not-mine.ts';
import type { Route } from './+types/not-mine.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => notMine(siteOf(matches).language).title, matches), { name: 'robots', content: 'noindex' }];
}

export default function NotMine() {
  return (
    <Page>
      <NotMineScreen />
    </Page>
  );
}
