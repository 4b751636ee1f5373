import { renderToStaticMarkup } from 'react-dom/server';
import { foldRegisteredProperties } from '#app/ui/fold-registered-properties.ts';
import { en } from '#domain/messages/en.ts';
import allStyles from './offline.css?inline';
import { OfflinePage } from './offline-page.tsx';
import script from './offline-script.ts?inline-script';
import workerScript from './service-worker.ts?inline-script';

const styles = foldRegisteredProperties(allStyles);

/** The offline page as the server gives it to the worker: with all that it needs in itself. */
export const offline = {
  workerScript,
  /** What stands between the tags of its one style and one script element, for the policy that allows just these. */
  inlined: { styles, script },
  render(productName: string): string {
    return `<!doctype html>${renderToStaticMarkup(
      <html lang="en" dir="ltr">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
          <meta name="color-scheme" content="light dark" />
          <title>{en.offlinePage.pageTitle(productName)}</title>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own build made it */}
          <style dangerouslySetInnerHTML={{ __html: styles }} />
        </head>
        <body>
          <OfflinePage productName={productName} messages={en} />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own build made it */}
          <script type="module" dangerouslySetInnerHTML={{ __html: script }} />
        </body>
      </html>,
    )}`;
  },
};
