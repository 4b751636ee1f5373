import { NotMineScreen } from '#app/features/account/not-mine-screen.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { en } from '#domain/messages/en.ts';
import type { Route } from './+types/not-mine.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(en.notMine.title, matches), { name: 'robots', content: 'noindex' }];
}

export default function NotMine() {
  return (
    <Page>
      <NotMineScreen />
    </Page>
  );
}
