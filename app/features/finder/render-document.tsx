import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { FreeStickerNote } from '#app/item/sticker/free-sticker-note.tsx';
import { foldRegisteredProperties } from '#app/ui/style/fold-registered-properties.ts';
import { shortClassNames } from '#app/ui/style/short-class-names.ts';
import { WithName } from '#app/ui/with-name.tsx';
import type { Brand } from '#domain/brand/brand.ts';
import { escapeHtml } from '#domain/escape-html.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { accountLinksWords } from '#words/account-links.ts';
import script from './enhance/finder-script.ts?inline-script';
import { extrasTexts } from './extras/extras-texts.ts';
import extrasScript from './extras/finder-extras.ts?inline-script';
import allStyles from './finder.css?inline';
import { FinderNotice } from './finder-notice.tsx';
import { FinderPage } from './finder-page.tsx';
import { FinderView, type FinderViewProps } from './finder-view.tsx';
import { DesksPage, type DesksPageProps } from './hand-in/desks-page.tsx';
import { LanguagePage, type LanguagePageProps } from './language-page.tsx';
import { nameInText } from './name-in-text.ts';
import { PhrasePage, type PhrasePageProps } from './phrases/phrase-page.tsx';
import { ReplyEmail, type ReplyEmailProps } from './reply-email.tsx';
import { ReportForm, type ReportFormProps } from './report-form.tsx';
import { SecondContactPage, type SecondContactPageProps } from './second-contact-page.tsx';
import { TypedCodeForm, type TypedCodeFormProps } from './typed-code-form.tsx';
import { UnconfirmedForm, type UnconfirmedFormProps } from './unconfirmed-form.tsx';

const folded = foldRegisteredProperties(allStyles);
// In development the names stay readable.
const { styles, shorten } = import.meta.env.DEV
  ? { styles: folded, shorten: (html: string) => html }
  : shortClassNames(folded, script);

/** The content of the document's only style and script elements, for the policy that allows exactly these. */
export const inlined = { styles, script };

/** The script that the document loads when it is needed, and its texts, which the server puts in front. */
export const extras = { script: extrasScript, texts: extrasTexts };

export interface DocumentSite {
  readonly productName: string;
  readonly brand: Brand;
  readonly storagePrefix: string;
  /** A development server allows claiming any code. */
  readonly development?: boolean;
  /** The browser says that it is signed in. Left out of documents that are the same for everyone. */
  readonly signedIn?: boolean;
}

/** Renders the finder's page of an item as a self-contained document. */
export function renderFinderDocument(
  site: DocumentSite,
  language: FinderLanguage,
  view: Omit<FinderViewProps, 'language' | 'isDocument'>,
): string {
  const { finder } = language.texts;
  return inShell(
    site,
    language,
    finder.pageTitle({
      itemName: nameInText(view.item, language.texts),
      product: site.productName,
    }),
    <FinderView {...view} language={language} isDocument />,
  );
}

/** Why no item is shown. */
export type NoticeKind = 'nowhere' | 'placeholder' | 'not-in-use' | 'too-many' | 'too-fast' | 'unavailable';

/**
 * Renders a page without an item. With a code it offers to tag an item with it; null where the path has no valid code.
 */
export function renderNoticeDocument(
  site: DocumentSite,
  language: FinderLanguage,
  kind: NoticeKind,
  code: string | null,
): string {
  const { finder, item, notFound } = language.texts;
  const notice = {
    nowhere: {
      title: notFound.title,
      text: notFound.text,
      action: { href: '/', label: notFound.home },
      children: (
        <a href="/found" className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline">
          {item.notInUseAction}
        </a>
      ),
    },
    placeholder: {
      title: item.placeholderTitle,
      text: item.placeholderText,
      action: code === null ? undefined : { href: `/auth/${code}`, label: item.placeholderAction },
      children: code !== null && <FreeStickerNote texts={language.texts} href={`/item/${code}`} />,
    },
    'not-in-use': {
      title: item.notInUseTitle,
      text: item.notInUseText,
      action: { href: '/found', label: item.notInUseAction },
    },
    'too-many': { title: finder.tooManyLookupsTitle, text: finder.tooManyLookupsText },
    'too-fast': { title: finder.tooFastTitle, text: finder.unavailableText },
    unavailable: { title: finder.contactUnavailable, text: finder.unavailableText },
  }[kind];
  return inShell(site, language, `${notice.title} – ${site.productName}`, <FinderNotice {...notice} />);
}

/** Renders the page after a form of which it is not known whether it arrived. */
export function renderUnconfirmedDocument(
  site: DocumentSite,
  language: FinderLanguage,
  form: Omit<UnconfirmedFormProps, 'language'>,
): string {
  const { unconfirmedTitle } = language.texts.finder;
  return inShell(
    site,
    language,
    `${unconfirmedTitle} – ${site.productName}`,
    <UnconfirmedForm {...form} language={language} />,
  );
}

/** Renders the page on which a finder reports the page of an item to the operator. */
export function renderReportDocument(site: DocumentSite, language: FinderLanguage, form: ReportFormProps): string {
  const { productName } = site;
  return inShell(
    site,
    language,
    language.words.report.pageTitle(productName),
    <ReportForm {...form} language={language} productName={productName} />,
  );
}

/** Renders the page with all that a finder can say without typing. */
export function renderPhrasesDocument(site: DocumentSite, language: FinderLanguage, page: PhrasePageProps): string {
  const title = `${language.texts.phrases.more} – ${site.productName}`;
  return inShell(site, language, title, <PhrasePage {...page} language={language} />);
}

/** Renders the page with all desks. */
export function renderDesksDocument(site: DocumentSite, language: FinderLanguage, page: DesksPageProps): string {
  const title = `${page.desks.words.all} – ${site.productName}`;
  return inShell(site, language, title, <DesksPage {...page} language={language} />);
}

/** Renders the page that thanks for a report. */
export function renderReportedDocument(site: DocumentSite, language: FinderLanguage, code: string): string {
  const { productName } = site;
  const { pageTitle, sentTitle, sentText, back } = language.words.report;
  return inShell(
    site,
    language,
    pageTitle(productName),
    <FinderNotice
      title={sentTitle}
      text={<WithName of={sentText} name={productName} />}
      action={{ href: `/item/${code}`, label: back }}
    />,
  );
}

/** Renders a page of a second contact; null for a link that opens nothing. */
export function renderSecondContactDocument(
  site: DocumentSite,
  language: FinderLanguage,
  page: SecondContactPageProps | null,
): string {
  const { pageTitle, goneTitle, goneText } = language.words.secondContact;
  return inShell(
    site,
    language,
    pageTitle(site.productName),
    page === null ? (
      <FinderNotice title={goneTitle} text={goneText} />
    ) : (
      <SecondContactPage {...page} language={language} />
    ),
  );
}

/** Renders the page on which a finder leaves an email address. */
export function renderReplyEmailDocument(site: DocumentSite, language: FinderLanguage, page: ReplyEmailProps): string {
  const { pageTitle } = language.words.finderEmail;
  return inShell(site, language, pageTitle(site.productName), <ReplyEmail {...page} language={language} />);
}

/** Renders the page on which a visitor chooses a language. */
export function renderLanguageDocument(site: DocumentSite, language: FinderLanguage, page: LanguagePageProps): string {
  const title = `${language.texts.language.title} – ${site.productName}`;
  return inShell(site, language, title, <LanguagePage {...page} language={language} />);
}

/** What a link in an email to a finder leads to: a question, what was done, or why nothing is. */
export type FinderLinkPage = 'confirm' | 'confirmed' | 'stop' | 'stopped' | 'dead' | 'stopAll' | 'allStopped';

/** Renders a page that a link in an email to a finder leads to. Nothing happens before its button is pressed. */
export function renderFinderLinkDocument(site: DocumentSite, language: FinderLanguage, page: FinderLinkPage): string {
  const texts = language.words.finderEmail;
  const notice = {
    confirm: { title: texts.confirmTitle, text: texts.confirmText, button: texts.confirm },
    confirmed: { title: texts.activeTitle, text: texts.activeText },
    stop: { title: texts.stopTitle, text: texts.stopText, button: texts.remove },
    stopped: { title: texts.removedTitle, text: texts.removedText },
    dead: { title: texts.deadTitle, text: texts.deadText },
    stopAll: { title: texts.stopAllTitle, text: texts.stopAllText, button: texts.stopAll },
    allStopped: { title: texts.allStoppedTitle, text: texts.allStoppedText },
  }[page];
  return inShell(site, language, texts.pageTitle(site.productName), <FinderNotice {...notice} />);
}

/** What the link "This wasn't me" in the notice of an account's change leads to. */
export type NotMePage = 'ask' | 'done' | 'dead';

/** Renders a page that the link leads to. Nothing happens before its button is pressed. */
export function renderNotMeDocument(site: DocumentSite, language: FinderLanguage, page: NotMePage): string {
  const texts = accountLinksWords(language).notMe;
  const toNewPassword = { href: '/auth?mode=reset', label: texts.newPassword };
  const notice = {
    ask: { title: texts.askTitle, text: texts.askText, button: texts.confirm },
    done: { title: texts.doneTitle, text: texts.doneText, action: toNewPassword },
    dead: { title: texts.deadTitle, text: texts.deadText, action: toNewPassword },
  }[page];
  return inShell(site, language, texts.pageTitle(site.productName), <FinderNotice {...notice} />);
}

/** Renders the page on which a finder types the code of a sticker that cannot be scanned. */
export function renderTypedCodeDocument(
  site: DocumentSite,
  language: FinderLanguage,
  form: Omit<TypedCodeFormProps, 'texts'>,
): string {
  const { texts } = language;
  return inShell(
    site,
    language,
    texts.typedCode.pageTitle(site.productName),
    <TypedCodeForm {...form} texts={texts} />,
  );
}

function inShell(
  { productName, brand, storagePrefix, signedIn = false }: DocumentSite,
  language: FinderLanguage,
  title: string,
  content: ReactElement,
): string {
  const { tag, direction } = language;
  const page = shorten(
    renderToStaticMarkup(
      <FinderPage productName={productName} brand={brand} language={language} signedIn={signedIn}>
        {content}
      </FinderPage>,
    ),
  );
  return (
    `<!doctype html><html lang="${tag}" dir="${direction}" data-storage-prefix="${escapeHtml(storagePrefix)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">' +
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">' +
    // Without it the browser requests /favicon.ico and receives a page.
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">' +
    (brand.styles === '' ? '' : `<style>${brand.styles}</style>`) +
    // Identical in every document up to here, and again from the script on: the server compresses these parts once.
    `<style>${styles}</style><title>${escapeHtml(title)}</title></head><body>${page}` +
    // A module script runs after the document is parsed and blocks nothing.
    `<script type="module">${script}</script></body></html>`
  );
}
