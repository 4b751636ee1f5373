import { Page } from '#app/features/site/page.tsx';
import { pageTitle, productNameOf } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { privacyEn } from '#domain/messages/privacy-en.ts';
import type { Route } from './+types/privacy.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(privacyEn(productNameOf(matches)).title, matches)];
}

export default function Privacy() {
  return (
    <Page width="text">
      <Prose prose={privacyEn(usePublicConfig().productName)} />
    </Page>
  );
}
