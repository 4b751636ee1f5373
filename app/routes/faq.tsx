import { usePublicConfig } from '#app/client/public-config.ts';
import { useSignedIn } from '#app/client/use-signed-in.ts';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { faqPage } from '#domain/texts/pages/faq-page.ts';
import { faqWords } from '#words/faq.ts';
import type { Route } from './+types/faq.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ footer }) => footer.faq, matches)];
}

export default function Faq() {
  const language = useLanguage();
  return (
    <Page width="text" signedIn={useSignedIn()}>
      <Prose prose={faqPage(faqWords(language), language.tag, usePublicConfig())} />
    </Page>
  );
}
