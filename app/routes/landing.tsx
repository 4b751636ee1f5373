import { useEffect } from 'react';
import { NavigationType, useNavigationType, useSearchParams } from 'react-router';
import { hasSignedIn } from '#app/browser/has-signed-in.ts';
import { type PlainDocument, usePlainDocument } from '#app/browser/plain-document.ts';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { authPath, REGISTER_PATH } from '#app/client/return-path.ts';
import { rememberTagCode, useStoredTagCode } from '#app/client/stored-tag-code.ts';
import { Hero } from '#app/features/landing/hero.tsx';
import { HowItWorks } from '#app/features/landing/how-it-works.tsx';
import styles from '#app/features/landing/landing.css?inline';
import { LandingHeader } from '#app/features/landing/landing-header.tsx';
import { PrivacyPromise } from '#app/features/landing/privacy-promise.tsx';
import { FindButton } from '#app/features/scanner/find-button.tsx';
import { PlainDetected } from '#app/features/scanner/plain/plain-detected.tsx';
import { PlainScanner } from '#app/features/scanner/plain/plain-scanner.tsx';
import { siteOf } from '#app/features/site/page-meta.ts';
import { SiteFooter } from '#app/features/site/site-footer.tsx';
import { PassingNotice, useArrivingNotice } from '#app/ui/notice/passing-notice.tsx';
import { resolveTagCode } from '#domain/tag-code/resolve-tag-code.ts';
import { landingWords } from '#words/landing.ts';
import type { Route } from './+types/landing.ts';
import script from './landing-script.ts?inline-script';

/** Visitors read this page and leave it by a link, so it is sent without the app, the scanner included. */
export const handle = import.meta.env.SSR
  ? ({ plainDocument: { styles, script } } satisfies { plainDocument: PlainDocument })
  : undefined;

export function meta({ matches }: Route.MetaArgs) {
  const { productName, language } = siteOf(matches);
  const landing = landingWords(language);
  return [{ title: landing.pageTitle(productName) }, { name: 'description', content: landing.metaDescription }];
}

export default function Landing() {
  const [query] = useSearchParams();
  const stored = useStoredTagCode();
  const notice = useArrivingNotice();
  const scanned = resolveTagCode({ pathname: '/', search: `?${query}` });
  const code = scanned ?? stored;
  const { storagePrefix } = usePublicConfig();
  const isNew = !useHydrated() || !hasSignedIn(storagePrefix);
  const isPlain = usePlainDocument() !== null;
  const isFirst = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    rememberTagCode(location);
  }, []);
  return (
    <>
      {import.meta.env.SSR && isPlain && <PlainDetected />}
      {notice !== null && <PassingNotice text={notice} />}
      <LandingHeader target={authPath(code)} hasCode={code !== null} />
      {/* The first page of a visit is shown without an animation. */}
      <main className={isFirst ? undefined : 'page-enter'}>
        <Hero
          target={code === null && isNew ? REGISTER_PATH : authPath(code)}
          scanned={scanned}
          finderAction={<FindButton />}
        />
        <HowItWorks />
        <PrivacyPromise />
      </main>
      <SiteFooter />
      {import.meta.env.SSR && isPlain && <PlainScanner />}
    </>
  );
}
