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
import { NavigationProgress } from '#app/features/site/navigation-progress.tsx';
import { useNonce } from '#app/lib/nonce.tsx';
import { usePlainDocument } from '#app/lib/plain-document.ts';
import { PUBLIC_CONFIG_META } from '#app/lib/public-config.ts';
import { preloadContext, publicConfigContext } from '#app/lib/request-context.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { useFontLater } from '#app/ui/use-font-later.ts';
import type { Route } from './+types/root.ts';
import styles from './app.css?url';
import headScript from './lib/head-script.ts?inline-script';

/**
 * Nothing is painted without the styles, and React puts what is preloaded before them: so they stand there as well,
 * first, and wait for no script.
 */
export function links(): Route.LinkDescriptors {
  return [
    { rel: 'preload', href: styles, as: 'style' },
    { rel: 'stylesheet', href: styles },
  ];
}

/** What it gives is of the document, so a navigation never asks for it again. */
export function loader({ context }: Route.LoaderArgs) {
  return {
    publicConfig: context.get(publicConfigContext),
    preload: context.get(preloadContext),
    /** Milliseconds since 1970, by the server's clock. */
    sentAt: Date.now(),
  };
}

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
  return (
    <html
      lang="en"
      dir="ltr"
      data-font={plain === null ? 'later' : undefined}
      data-storage-prefix={plain === null ? undefined : root?.publicConfig.storagePrefix}
      // A browser that has the font takes the attribute off.
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        {/* First of all scripts: the others take storage for granted. */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own build made it */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: headScript }} />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <meta name="color-scheme" content="light dark" />
        {root !== undefined && <meta name={PUBLIC_CONFIG_META} content={JSON.stringify(root.publicConfig)} />}
        <Meta />
        {plain === null ? (
          // Styles are our own files and need no nonce; browsers hide one, and React would report the difference.
          <Links nonce="" />
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own build made it
          <style nonce={nonce} dangerouslySetInnerHTML={{ __html: plain.styles }} />
        )}
        {plain === null &&
          root?.preload.map((script) => (
            <link key={script} rel="modulepreload" href={script} nonce={nonce} suppressHydrationWarning />
          ))}
      </head>
      <body>
        {children}
        {plain === null ? (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own build made it
          <script nonce={nonce} type="module" dangerouslySetInnerHTML={{ __html: plain.script }} />
        )}
      </body>
    </html>
  );
}

export default function Root() {
  useFontLater();
  return (
    <>
      <NavigationProgress />
      <Outlet />
    </>
  );
}

/** For what no screen caught: nothing is used here that could itself have failed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { common, notFound } = useMessages();
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
