import { useEffect } from 'react';
import { NavigationType, useNavigationType, useSearchParams } from 'react-router';
import { Hero } from '#app/features/landing/hero.tsx';
import { HowItWorks } from '#app/features/landing/how-it-works.tsx';
import styles from '#app/features/landing/landing.css?inline';
import { LandingHeader } from '#app/features/landing/landing-header.tsx';
import script from '#app/features/landing/landing-script.ts?inline-script';
import { PrivacyPromise } from '#app/features/landing/privacy-promise.tsx';
import { FindButton } from '#app/features/scanner/find-button.tsx';
import { productNameOf } from '#app/features/site/page-meta.ts';
import { SiteFooter } from '#app/features/site/site-footer.tsx';
import { authPath } from '#app/lib/auth-path.ts';
import type { PlainDocument } from '#app/lib/plain-document.ts';
import { rememberTagCode, useStoredTagCode } from '#app/lib/stored-tag-code.ts';
import { useArrivingNotice } from '#app/lib/use-arriving-notice.ts';
import { PassingNotice } from '#app/ui/passing-notice.tsx';
import { en } from '#domain/messages/en.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import type { Route } from './+types/landing.ts';

/** A visitor reads, and goes on by a link: the page is sent without the app, unless the scanner is asked for. */
export const handle = import.meta.env.SSR
  ? ({ plainDocument: { styles, script } } satisfies { plainDocument: PlainDocument })
  : undefined;

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
  const scanned = resolveTagCode({ pathname: '/', search: `?${query}` });
  const code = scanned ?? stored;
  const isFirst = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    rememberTagCode(location);
  }, []);
  return (
    <>
      <LandingHeader target={authPath(code)} hasCode={code !== null} />
      {/* The first thing that a visitor sees is there at once. */}
      <main className={isFirst ? undefined : 'page-enter'}>
        <Hero target={authPath(code)} scanned={scanned} finderAction={<FindButton />} />
        <HowItWorks />
        <PrivacyPromise />
      </main>
      <SiteFooter />
      {notice !== null && <PassingNotice text={notice} />}
    </>
  );
}
