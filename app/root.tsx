import type { ReactNode } from 'react';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from 'react-router';
import { useNonce } from '#app/browser/nonce.tsx';
import { usePlainDocument } from '#app/browser/plain-document.ts';
import { PUBLIC_CONFIG_META } from '#app/client/read-public-config.ts';
import {
  brandContext,
  earlyScriptsContext,
  languageContext,
  publicConfigContext,
} from '#app/client/request-context.ts';
import { NavigationProgress } from '#app/features/site/navigation-progress.tsx';
import { LanguageContext, useTexts } from '#app/i18n/use-texts.ts';
import { usePreloads } from '#app/i18n/words-of-document.ts';
import { languageOf } from '#domain/language.ts';
import type { Route } from './+types/root.ts';
import styles from './app.css?url';
import appHeadScript from './browser/app-head-script.ts?inline-script';
import storageScript from './browser/storage-script.ts?inline-script';

export function links(): Route.LinkDescriptors {
  return [{ rel: 'stylesheet', href: styles }];
}

/** The values belong to the document, so a navigation never requests them again. */
export function loader({ context }: Route.LoaderArgs) {
  return {
    publicConfig: context.get(publicConfigContext),
    brand: context.get(brandContext),
    language: context.get(languageContext),
    earlyScripts: context.get(earlyScriptsContext),
    /** Milliseconds since the epoch, by the server's clock. */
    sentAt: Date.now(),
  };
}

/** Where the loader failed. */
const ENGLISH = { tag: 'en', direction: 'ltr' } as const;

export function shouldRevalidate() {
  return false;
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: loaderData?.publicConfig.productName ?? 'Reunite' }];
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>('root');
  const nonce = useNonce();
  const plain = usePlainDocument();
  const language = languageOf(root?.language ?? ENGLISH);
  usePreloads({ nonce, styles, isPlain: plain !== null });
  return (
    <html
      lang={language.tag}
      dir={language.direction}
      data-storage-prefix={plain === null ? undefined : root?.publicConfig.storagePrefix}
      // A browser that translates the page has changed them.
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        {/* Before all other scripts, which rely on storage. It has run before the app does, which keeps no copy of it. */}
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: output of our own build
          dangerouslySetInnerHTML={{
            __html: import.meta.env.SSR ? (plain === null ? appHeadScript : storageScript) : '',
          }}
        />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {plain === null && (
          <>
            <link rel="manifest" href="/manifest.webmanifest" />
            <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
          </>
        )}
        <meta name="color-scheme" content="light dark" />
        {root !== undefined && <meta name={PUBLIC_CONFIG_META} content={JSON.stringify(root.publicConfig)} />}
        <Meta />
        {plain === null ? (
          // Stylesheets are our own files and need no nonce. Browsers hide nonces, and React would report the
          // difference.
          <Links nonce="" />
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: output of our own build
          <style nonce={nonce} dangerouslySetInnerHTML={{ __html: plain.styles }} />
        )}
        {root !== undefined && root.brand.styles !== '' && (
          // Browsers hide nonces, and React would report the difference.
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made of the operator's own settings
          <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: root.brand.styles }} />
        )}
        {plain === null && root?.earlyScripts != null && (
          <>
            {root.earlyScripts.preloaded.map((script) => (
              <link key={script} rel="modulepreload" href={script} nonce={nonce} suppressHydrationWarning />
            ))}
            <script type="module" async src={root.earlyScripts.run} nonce={nonce} suppressHydrationWarning />
          </>
        )}
      </head>
      <body>
        <LanguageContext value={language}>{children}</LanguageContext>
        {plain === null ? (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: output of our own build
          <script nonce={nonce} type="module" dangerouslySetInnerHTML={{ __html: plain.script }} />
        )}
      </body>
    </html>
  );
}

export default function Root() {
  return (
    <>
      <NavigationProgress />
      <Outlet />
    </>
  );
}

/** For errors that no screen has caught. Uses nothing that could itself have failed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { common, notFound } = useTexts();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main className="mx-auto grid min-h-dvh max-w-md place-content-center justify-items-center gap-4 p-6 text-center">
      <h1 className="font-bold text-2xl">{isMissing ? notFound.title : common.unexpectedTitle}</h1>
      <p className="text-ink-soft">{isMissing ? notFound.text : common.unexpectedBody}</p>
      <a className="inline-flex min-h-11 items-center font-semibold text-primary underline" href="/">
        {notFound.home}
      </a>
    </main>
  );
}
