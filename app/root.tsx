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
import { PUBLIC_CONFIG_META } from '#app/lib/public-config.ts';
import { publicConfigContext } from '#app/lib/request-context.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import type { Route } from './+types/root.ts';
import styles from './app.css?url';
import rubik from './ui/fonts/rubik-latin.woff2?url';

/**
 * Nothing is painted without the styles, and React puts what is preloaded before them: so they stand there as well,
 * first, and wait for no script. Every text is set in the font; the styles alone would ask for it only once they are read.
 */
export function links(): Route.LinkDescriptors {
  return [
    { rel: 'preload', href: styles, as: 'style' },
    { rel: 'preload', href: rubik, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
    { rel: 'stylesheet', href: styles },
  ];
}

/** The public configuration is the same for every page, so a navigation never asks for it again. */
export function loader({ context }: Route.LoaderArgs) {
  return { publicConfig: context.get(publicConfigContext) };
}

export function shouldRevalidate() {
  return false;
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: loaderData?.publicConfig.productName ?? 'Reunite' }];
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>('root');
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <meta name="color-scheme" content="light dark" />
        {root !== undefined && <meta name={PUBLIC_CONFIG_META} content={JSON.stringify(root.publicConfig)} />}
        <Meta />
        {/* Styles are our own files and need no nonce; browsers hide one, and React would report the difference. */}
        <Links nonce="" />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
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
