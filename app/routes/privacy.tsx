import { usePublicConfig } from '#app/client/public-config.ts';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { privacy } from '#domain/texts/pages/privacy.ts';
import type { Route } from './+types/privacy.ts';

export function meta({ matches }: Route.MetaArgs) {
  const { productName, language } = siteOf(matches);
  return [pageTitle(() => privacy(language)(productName).title, matches)];
}

export default function Privacy() {
  return (
    <Page width="text">
      <Prose prose={privacy(useLanguage())(usePublicConfig().productName)} />
    </Page>
  );
}
