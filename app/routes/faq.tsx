import { Page } from '#app/features/site/page.tsx';
import { pageTitle, productNameOf } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { faqEn } from '#domain/messages/faq-en.ts';
import type { Route } from './+types/faq.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(faqEn(productNameOf(matches)).title, matches)];
}

export default function Faq() {
  return (
    <Page width="text">
      <Prose prose={faqEn(usePublicConfig().productName)} />
    </Page>
  );
}
