import { usePublicConfig } from '#app/client/public-config.ts';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { faq } from '#domain/texts/pages/faq.ts';
import type { Route } from './+types/faq.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ footer }) => footer.faq, matches)];
}

export default function Faq() {
  return (
    <Page width="text">
      <Prose prose={faq(useLanguage())(usePublicConfig())} />
    </Page>
  );
}
