import { usePublicConfig } from '#app/client/public-config.ts';
import { useSignedIn } from '#app/client/use-signed-in.ts';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { termsPage } from '#domain/texts/pages/terms-page.ts';
import { termsWords } from '#words/terms.ts';
import type { Route } from './+types/terms.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => termsWords(siteOf(matches).language).title, matches)];
}

export default function Terms() {
  return (
    <Page width="text" signedIn={useSignedIn()}>
      <Prose prose={termsPage(termsWords(useLanguage()), usePublicConfig().productName)} />
    </Page>
  );
}
