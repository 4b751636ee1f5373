import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { foldRegisteredProperties } from '#app/ui/fold-registered-properties.ts';
import { escapeHtml } from '#domain/escape-html.ts';
import { givenName } from '#domain/found-item.ts';
import { en } from '#domain/messages/en.ts';
import allStyles from './finder.css?inline';
import { FinderNotice } from './finder-notice.tsx';
import { FinderPage } from './finder-page.tsx';
import script from './finder-script.ts?inline-script';
import { FinderView, type FinderViewProps } from './finder-view.tsx';

const styles = foldRegisteredProperties(allStyles);

/** What stands between the tags of the document's one style and one script element, for the policy that allows just these. */
export const inlined = { styles, script };

export interface DocumentSite {
  readonly productName: string;
  readonly storagePrefix: string;
}

/** The finder's page of one item, as a whole document that needs nothing else. */
export function renderFinderDocument(site: DocumentSite, view: Omit<FinderViewProps, 'messages'>): string {
  return inShell(
    site,
    en.finder.pageTitle(givenName(view.item) ?? en.finder.somethingOf(view.item.owner_first_name), site.productName),
    <FinderView {...view} messages={en} />,
  );
}

/** Why there is no item to show. */
export type NoticeKind = 'nowhere' | 'placeholder' | 'too-many' | 'unavailable';

/** A code offers to be tagged; null where what was asked for can be none. */
export function renderNoticeDocument(site: DocumentSite, kind: NoticeKind, code: string | null): string {
  const notice = {
    nowhere: { title: en.notFound.title, text: en.notFound.text, action: { href: '/', label: en.notFound.home } },
    placeholder: {
      title: en.item.placeholderTitle,
      text: en.item.placeholderText,
      action: code === null ? undefined : { href: `/auth/${code}`, label: en.item.placeholderAction },
    },
    'too-many': { title: en.finder.tooManyLookupsTitle, text: en.finder.tooManyLookupsText },
    unavailable: { title: en.finder.contactUnavailable, text: en.finder.unavailableText },
  }[kind];
  return inShell(site, `${notice.title} – ${site.productName}`, <FinderNotice {...notice} />);
}

function inShell({ productName, storagePrefix }: DocumentSite, title: string, content: ReactElement): string {
  const page = renderToStaticMarkup(
    <FinderPage productName={productName} messages={en}>
      {content}
    </FinderPage>,
  );
  return (
    `<!doctype html><html lang="en" dir="ltr" data-storage-prefix="${escapeHtml(storagePrefix)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">' +
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">' +
    // Without it the browser asks for one under a name of its own, and is sent a page.
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">' +
    // The same in every document up to here, and again from the script on: the server packs these parts once.
    `<style>${styles}</style><title>${escapeHtml(title)}</title></head><body>${page}` +
    // A module waits for the document and holds nothing up.
    `<script type="module">${script}</script></body></html>`
  );
}
