import { useSearchParams } from 'react-router';
import { Hero } from '#app/features/landing/hero.tsx';
import { HowItWorks } from '#app/features/landing/how-it-works.tsx';
import { PrivacyPromise } from '#app/features/landing/privacy-promise.tsx';
import { productNameOf } from '#app/features/site/page-meta.ts';
import { SiteFooter } from '#app/features/site/site-footer.tsx';
import { authPath } from '#app/lib/auth-path.ts';
import { useStoredTagCode } from '#app/lib/stored-tag-code.ts';
import { useArrivingNotice } from '#app/lib/use-arriving-notice.ts';
import { PassingNotice } from '#app/ui/passing-notice.tsx';
import { en } from '#domain/messages/en.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import type { Route } from './+types/landing.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: en.landing.pageTitle(productNameOf(matches)) },
    { name: 'description', content: en.landing.metaDescription },
  ];
}

export default function Landing() {
  const [query] = useSearchParams();
  const stored = useStoredTagCode();
  const notice = useArrivingNotice();
  const code = resolveTagCode({ pathname: '/', search: `?${query}` }) ?? stored;
  return (
    <>
      <main>
        <Hero target={authPath(code)} hasCode={code !== null} />
        <HowItWorks />
        <PrivacyPromise />
      </main>
      <SiteFooter />
      {notice !== null && <PassingNotice text={notice} />}
    </>
  );
}
