import type { Context } from 'hono';
import type { Brand } from '#domain/brand/brand.ts';
import type { Conversation } from '#domain/contact/conversation.ts';
import type { PlacedTap } from '#domain/contact/message-details.ts';
import type { ReportProblem } from '#domain/contact/report.ts';
import { MOST_ON_PAGE } from '#domain/desks/desk.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { timeOrderedId } from '#domain/ids.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import type { Config } from '#server/config.ts';
import type { FinderAddressState } from '#server/conversations/finder-addresses.ts';
import { acceptedEncoding } from '#server/http/accepted-encoding.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isPublicHttps } from '#server/http/default-headers.ts';
import { isFresh } from '#server/http/etag.ts';
import { englishForFinders, FINDER_LANGUAGES } from '#server/languages/load-language.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import { noteRefusal } from '#server/limits/refused-by.ts';
import { RENDERS } from '#server/web/checks/render-allowance.ts';
import { documentHeaders, finderPolicy, type HeaderRecord } from '#server/web/pages/security-headers.ts';
import { newFinderKey } from '../conversation/finder-key.ts';
import type { Desks } from '../desks/desks.ts';
import { desksInWords } from '../desks/desks-in-words.ts';
import type { PageBuild, Pages } from '../pages/pages.ts';
import { DocumentFrame, FIRST_FLIGHT_BYTES } from './document-frame.ts';
import { type DocumentEncoding, finishDocument } from './finish-document.ts';
import type { FinishedDocument, FoundEntry, FoundItems } from './item-cache.ts';
import { NoticeDocuments, type NoticeKind } from './notice-documents.ts';

/** Why a form is shown again, and what it contained. */
export interface FormProblem {
  readonly contactProblem?: string;
  readonly messageProblem?: string;
  /** Asks for a return code. */
  readonly returning?: true;
  /** Why a return code or a private link opens no conversation. */
  readonly returnProblem?: string;
  /** The return code that opened no conversation, as it was typed. */
  readonly typedReturnCode?: string;
  readonly typed?: string;
  readonly typedPlace?: string;
  /** The tap that lacks its place. */
  readonly asked?: PlacedTap;
  /** The conversation so far, for the holder of its key. */
  readonly conversation?: Conversation | null;
}

/** What a link in an email to a finder leads to. */
export type FinderLinkPage = Parameters<PageBuild['renderFinderLinkDocument']>[2];

/** What the link "This wasn't me" leads to. */
export type NotMePage = Parameters<PageBuild['renderNotMeDocument']>[2];

export type ProblemStatus = 403 | 404 | 409 | 422 | 429;
type Status = 200 | 400 | 413 | 415 | 503 | ProblemStatus;

/** A visitor's messages are not cached, not even by the browser: the phone may be shared. */
const NEVER_KEPT: HeaderRecord = { 'Cache-Control': 'private, no-store' };

export interface FinderDocumentsOptions {
  readonly config: Config;
  readonly brand: Brand;
  readonly desks: Pick<Desks, 'now'>;
  /** Counts a page that is rendered for its request. Returns false where the address has had too many. */
  readonly mayRender: (c: Context<AppEnv>) => boolean;
  readonly isSignedIn: (cookieHeader: string | undefined) => boolean;
}

export type FinderDocuments = ReturnType<typeof finderDocuments>;

/** What is prepared once per build of the pages and language. */
interface Prepared {
  readonly language: FinderLanguage;
  readonly page: PageBuild;
  readonly frame: DocumentFrame;
  readonly notices: NoticeDocuments;
  readonly headers: Readonly<Record<DocumentEncoding, HeaderRecord>>;
}

/**
 * Serves the finder's documents: finished ones from memory for an item's plain page, otherwise rendered for the
 * request.
 */
export function finderDocuments(
  pages: Pages,
  items: Pick<FoundItems, 'keepDocument'>,
  { config, brand, desks, mayRender, isSignedIn }: FinderDocumentsOptions,
) {
  const site = {
    productName: config.productName,
    brand,
    storagePrefix: config.storagePrefix,
    development: !config.production,
  };
  const { hasMail } = config;
  const common: HeaderRecord = {
    ...documentHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    // Only the browser may store it, and must revalidate each time: an unchanged page costs no bytes.
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Accept-Encoding, Accept-Language',
    'X-Robots-Tag': 'noindex',
  };
  /** Keyed by language tag. */
  const prepared = new Map<string, Prepared>();

  function prepare(page: PageBuild, language: FinderLanguage): Prepared {
    const identity = {
      ...common,
      'Content-Security-Policy': finderPolicy(page.inlined, brand.styles, { upgrade: isPublicHttps(config) }),
    };
    const frame = frameOf(page.inlined, page.renderNoticeDocument(site, language, 'unavailable', null));
    return {
      page,
      language,
      frame,
      notices: new NoticeDocuments((kind, code, encoding) =>
        finishDocument(frame, page.renderNoticeDocument(site, language, kind, code), encoding),
      ),
      headers: { identity, gzip: { ...identity, 'Content-Encoding': 'gzip' } },
    };
  }

  function current(c: Context<AppEnv>): Prepared | Promise<Prepared> {
    const page = pages.current();
    return page instanceof Promise ? page.then((built) => preparedFor(c, built)) : preparedFor(c, page);
  }

  function preparedFor(c: Context<AppEnv>, page: PageBuild): Prepared {
    return preparedIn(visitorLanguage(c), page);
  }

  function preparedIn(language: FinderLanguage, page: PageBuild): Prepared {
    const known = prepared.get(language.tag);
    if (known?.page === page) return known;
    const made = prepare(page, language);
    prepared.set(language.tag, made);
    return made;
  }

  async function respond(
    c: Context<AppEnv>,
    document: FinishedDocument,
    headers: HeaderRecord,
    status: Status,
  ): Promise<Response> {
    return c.body(document.bytes, status, { ...headers, 'Content-Length': String(document.bytes.byteLength) });
  }

  async function notice(c: Context<AppEnv>, kind: NoticeKind, code: string | null, status: Status): Promise<Response> {
    const { notices, headers } = await current(c);
    const encoding = encodingFor(c);
    return respond(c, notices.document(kind, code, encoding), headers[encoding], status);
  }

  async function tooFast(c: Context<AppEnv>): Promise<Response> {
    c.header('Retry-After', '1');
    noteRefusal({ name: 'pages_per_address', points: RENDERS.burst });
    return notice(c, 'too-fast', null, 429);
  }

  /** Serves a page that is rendered for its request and never cached. */
  async function rendered(
    c: Context<AppEnv>,
    status: Status,
    render: (prepared: Pick<Prepared, 'page' | 'language'>) => string,
    /** That of the visitor, unless the page has no other. */
    language = visitorLanguage(c),
  ): Promise<Response> {
    if (!mayRender(c)) return tooFast(c);
    const prepared = preparedIn(language, await pages.current());
    const { frame, headers } = prepared;
    const encoding = encodingFor(c);
    const document = finishDocument(frame, render(prepared), encoding);
    return respond(c, document, { ...headers[encoding], ...NEVER_KEPT }, status);
  }

  function itemDocument(
    c: Context<AppEnv>,
    entry: FoundEntry,
    sent: boolean,
    { page, frame, headers, language }: Prepared,
  ): Response {
    const encoding = encodingFor(c);
    const key = `${language.tag}:${sent ? 'sent' : 'plain'}:${encoding}`;
    let finished = pages.viteMiddleware === undefined ? entry.documents.get(key) : undefined;
    const desksNow = desks.now();
    if (finished === undefined || finished.desks !== desksNow.version) {
      const { code, item } = entry;
      const view = { code, typedCode: typedCodeOf(code), hasMail, item, sent, conversation: null };
      const finish = (most: number): FinishedDocument => {
        const shown = { ...view, desks: most < 0 ? undefined : desksInWords(desksNow, language, { most }) };
        return finishDocument(frame, page.renderFinderDocument(site, language, shown), encoding);
      };
      // Fewer desks, where they and the longest content do not fit into the first flight of a connection.
      let most = desksNow.desks.length === 0 ? -1 : MOST_ON_PAGE;
      finished = finish(most);
      while (most >= 0 && encoding === 'gzip' && finished.bytes.byteLength >= FIRST_FLIGHT_BYTES) {
        most -= 1;
        finished = finish(most);
      }
      finished = { ...finished, desks: desksNow.version };
      items.keepDocument(entry, key, finished);
    }
    const stamped = { ...headers[encoding], ETag: finished.etag };
    if (isFresh(c.req.header('if-none-match'), finished.etag)) return c.body(null, 304, stamped);
    // Headers as a plain object, which the adapter writes unchanged; the context would create a Headers object.
    return new Response(finished.bytes, {
      headers: { ...stamped, 'Content-Length': String(finished.bytes.byteLength) },
    });
  }

  /** The desks on a page that is rendered for its request. */
  function desksOnPage(language: FinderLanguage) {
    const shown = desksInWords(desks.now(), language, { most: MOST_ON_PAGE });
    return shown && { ...shown, message: newMessage() };
  }

  return {
    /** Serves a page that says why no item is shown. `code` is null where the text is not a tag code. */
    notice,

    /** Serves the refusal of an address for which too many pages were rendered. */
    tooFast,

    /** Serves the page after a form that the database did not confirm in time, with a button that sends it again. */
    unconfirmed: (c: Context<AppEnv>) =>
      rendered(c, 503, ({ page, language }) => {
        const { fields, hasPhoto } = c.get('sentForm') ?? { fields: new URLSearchParams(), hasPhoto: false };
        return page.renderUnconfirmedDocument(site, language, { fields: [...fields], hasPhoto });
      }),

    /** Serves the page of all languages. */
    languages: (c: Context<AppEnv>, back: string | null) =>
      rendered(c, 200, ({ page, language }) =>
        page.renderLanguageDocument(site, language, { languages: FINDER_LANGUAGES, back }),
      ),

    /** Serves the page on which a finder types a code, with what is wrong with the one that was typed. */
    typedCode: (
      c: Context<AppEnv>,
      { typed, problem }: { readonly typed: string; readonly problem?: string },
      status: 200 | 404 | 422,
    ) =>
      rendered(c, status, ({ page, language }) => {
        const signedIn = isSignedIn(c.req.header('cookie'));
        return page.renderTypedCodeDocument({ ...site, signedIn }, language, { typed, problem });
      }),

    /** Serves the page on which a finder reports an item's page, with what is wrong with the report that was sent. */
    report: (
      c: Context<AppEnv>,
      { code, item }: FoundEntry,
      form: { readonly kind: string; readonly typed: string; readonly problem?: ReportProblem },
      status: 200 | 422 | 429,
    ) =>
      rendered(c, status, ({ page, language }) =>
        page.renderReportDocument(site, language, { code, item, problem: undefined, ...form }),
      ),

    /** Serves the page with all that a finder can say without typing, with the one that was not complete. */
    phrases: (
      c: Context<AppEnv>,
      { code }: FoundEntry,
      shown: Pick<Parameters<PageBuild['renderPhrasesDocument']>[2], 'timeZone' | 'typed'>,
      status: 200 | 422,
    ) => rendered(c, status, ({ page, language }) => page.renderPhrasesDocument(site, language, { code, ...shown })),

    /** Serves the page with all desks. */
    desks: (c: Context<AppEnv>, { code, item }: FoundEntry) =>
      rendered(c, 200, ({ page, language }) => {
        const shown = desksInWords(desks.now(), language, { most: Number.POSITIVE_INFINITY, inFull: true });
        const all = shown ?? { list: [], hasMore: false, words: language.words.desks };
        const takesMessages = item.channels.message;
        return page.renderDesksDocument(site, language, { code, desks: all, takesMessages, message: newMessage() });
      }),

    /** Serves the page that thanks for a report. */
    reported: (c: Context<AppEnv>, { code }: FoundEntry) =>
      rendered(c, 200, ({ page, language }) => page.renderReportedDocument(site, language, code)),

    /** Serves the page on which a finder leaves an email address, with what is wrong with the one that was sent. */
    replyEmail: (
      c: Context<AppEnv>,
      { code, item }: FoundEntry,
      form: {
        readonly state: FinderAddressState;
        readonly removed?: boolean;
        readonly typed?: string;
        readonly problem?: string;
      },
      status: 200 | 422 | 429,
    ) =>
      rendered(c, status, ({ page, language }) => {
        const { state, removed = false, typed = '', problem } = form;
        const owner = item.owner_first_name;
        return page.renderReplyEmailDocument(site, language, { code, owner, state, removed, typed, problem });
      }),

    /** Serves the page that a link in an email to a finder leads to. */
    finderLink: (c: Context<AppEnv>, kind: FinderLinkPage, status: 200 | 404) =>
      rendered(c, status, ({ page, language }) => page.renderFinderLinkDocument(site, language, kind)),

    /** Serves the page that the link "This wasn't me" in the notice of an account's change leads to. */
    notMe: async (c: Context<AppEnv>, kind: NotMePage, status: 200 | 404) => {
      const response = await rendered(
        c,
        status,
        ({ page, language }) => page.renderNotMeDocument(site, language, kind),
        englishForFinders,
      );
      response.headers.set('Referrer-Policy', 'no-referrer');
      return response;
    },

    /** Serves a page of a second contact; null for a link that opens nothing. */
    async secondContact(
      c: Context<AppEnv>,
      shown: Parameters<PageBuild['renderSecondContactDocument']>[2],
      status: 200 | 404 | 422 | 429,
    ): Promise<Response> {
      if (!mayRender(c)) return tooFast(c);
      const { page, frame, headers, language } = await current(c);
      const encoding = encodingFor(c);
      const html = page.renderSecondContactDocument(site, language, shown);
      const document = finishDocument(frame, html, encoding);
      return respond(c, document, { ...headers[encoding], ...NEVER_KEPT, 'Referrer-Policy': 'no-referrer' }, status);
    },

    /** Serves the page of an item. With `sent`, it confirms that a message has arrived. */
    item(c: Context<AppEnv>, entry: FoundEntry, sent: boolean): Response | Promise<Response> {
      // No promise where it can be helped: this is the response to almost every scan.
      const prepared = current(c);
      return prepared instanceof Promise
        ? prepared.then((ready) => itemDocument(c, entry, sent, ready))
        : itemDocument(c, entry, sent, prepared);
    },

    /**
     * Serves the page with a conversation, for the holder of its key, or with the form for a return code. It is never
     * cached. Where the conversation is undefined, the page's script requests it.
     */
    conversation: (
      c: Context<AppEnv>,
      { code, item }: FoundEntry,
      shown: {
        readonly sent?: boolean;
        readonly messageProblem?: string | undefined;
        readonly returning?: true;
        /** The key of a private link, which waits for a button. */
        readonly linkKey?: string;
        readonly conversation: Conversation | null | undefined;
        /** Whether it ended because the item has a new owner. */
        readonly moved?: boolean;
      },
    ) =>
      rendered(c, 200, ({ page, language }) =>
        page.renderFinderDocument(site, language, {
          code,
          typedCode: typedCodeOf(code),
          hasMail,
          item,
          desks: desksOnPage(language),
          ...shown,
        }),
      ),

    /** Serves the page of an item with a form's problem. */
    async problem(
      c: Context<AppEnv>,
      { code, item }: FoundEntry,
      problem: FormProblem,
      status: ProblemStatus,
    ): Promise<Response> {
      if (!mayRender(c)) return tooFast(c);
      const { page, frame, headers, language } = await current(c);
      const html = page.renderFinderDocument(site, language, {
        code,
        typedCode: typedCodeOf(code),
        hasMail,
        item,
        desks: desksOnPage(language),
        ...problem,
      });
      const document = finishDocument(frame, html, 'identity');
      return respond(c, document, { ...headers.identity, ...NEVER_KEPT }, status);
    },
  };
}

function newMessage() {
  return { id: timeOrderedId(), finderKey: newFinderKey(null) };
}

const GZIP_ALONE = { br: false, gzip: true };

function encodingFor(c: Context<AppEnv>): DocumentEncoding {
  return acceptedEncoding(c.req.header('accept-encoding'), GZIP_ALONE) === 'gzip' ? 'gzip' : 'identity';
}

/** Splits a document into what all documents share: everything up to the styles and everything from the script on. */
function frameOf({ styles, script }: PageBuild['inlined'], html: string): DocumentFrame {
  return new DocumentFrame(html.slice(0, html.indexOf(styles) + styles.length), html.slice(html.lastIndexOf(script)));
}
