import { renderToStaticMarkup } from 'react-dom/server';
import { foldRegisteredProperties } from '#app/ui/style/fold-registered-properties.ts';
import type { Language } from '#domain/language.ts';
import allStyles from './offline.css?inline';
import { OfflinePage } from './offline-page.tsx';
import script from './offline-script.ts?inline-script';
import workerScript from './service-worker.ts?inline-script';

const styles = foldRegisteredProperties(allStyles);

/** The offline page for the service worker, self-contained. */
export const offline = {
  workerScript,
  /** The content of its only style and script elements, for the policy that allows exactly these. */
  inlined: { styles, script },
  /** With the operator's styles, which are empty for those of the product. */
  render(productName: string, { tag, direction, texts }: Language, brandStyles: string): string {
    return `<!doctype html>${renderToStaticMarkup(
      <html lang={tag} dir={direction}>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
          <meta name="color-scheme" content="light dark" />
          <title>{texts.offlinePage.pageTitle(productName)}</title>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: output of our own build */}
          <style dangerouslySetInnerHTML={{ __html: styles }} />
          {brandStyles !== '' && (
            // biome-ignore lint/security/noDangerouslySetInnerHtml: made from checked settings
            <style dangerouslySetInnerHTML={{ __html: brandStyles }} />
          )}
        </head>
        <body>
          <OfflinePage productName={productName} texts={texts} />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: output of our own build */}
          <script type="module" dangerouslySetInnerHTML={{ __html: script }} />
        </body>
      </html>,
    )}`;
  },
};
