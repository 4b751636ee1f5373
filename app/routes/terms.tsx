import { Page } from '#app/features/site/page.tsx';
import { pageTitle, productNameOf } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { termsEn } from '#domain/messages/terms-en.ts';
import type { Route } from './+types/terms.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(termsEn(productNameOf(matches)).title, matches)];
}

export default function Terms() {
  return (
    <Page width="text">
      <Prose prose={termsEn(usePublicConfig().productName)} />
    </Page>
  );
}
