import { usePublicConfig } from '#app/client/public-config.ts';
import { useSignedIn } from '#app/client/use-signed-in.ts';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { Prose } from '#app/features/site/prose.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { privacyPage } from '#domain/texts/pages/privacy-page.ts';
import { privacyWords } from '#words/privacy.ts';
import type { Route } from './+types/privacy.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ footer }) => footer.privacy, matches)];
}

export default function Privacy() {
  const language = useLanguage();
  return (
    <Page width="text" signedIn={useSignedIn()}>
      <Prose prose={privacyPage(privacyWords(language), language.tag, usePublicConfig())} />
    </Page>
  );
}
