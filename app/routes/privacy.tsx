import { usePublicConfig } from '#app/client/public-config.ts';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { privacy } from '#domain/texts/pages/privacy.ts';
import type { Route } from './+types/privacy.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ footer }) => footer.privacy, matches)];
}

export default function Privacy() {
  return (
    <Page width="text">
      <Prose prose={privacy(useLanguage())(usePublicConfig())} />
    </Page>
  );
}
