import { usePublicConfig } from '#app/client/public-config.ts';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { terms } from '#domain/texts/pages/terms.ts';
import type { Route } from './+types/terms.ts';

export function meta({ matches }: Route.MetaArgs) {
  const { productName, language } = siteOf(matches);
  return [pageTitle(() => terms(language)(productName).title, matches)];
}

export default function Terms() {
  return (
    <Page width="text">
      <Prose prose={terms(useLanguage())(usePublicConfig().productName)} />
    </Page>
  );
}
