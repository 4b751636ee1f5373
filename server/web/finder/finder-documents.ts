import type { Context } from 'hono';
import type { Conversation } from '#domain/conversation.ts';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isPublicHttps } from '#server/http/every-answer.ts';
import { isFresh } from '#server/http/is-fresh.ts';
import { acceptedEncoding } from '../accepted-encoding.ts';
import type { PageBuild, Pages } from '../pages/pages.ts';
import { documentHeaders, finderPolicy, type HeaderRecord } from '../security-headers.ts';
import { FinderTemplates } from './finder-templates.ts';
import { type DocumentEncoding, finishDocument } from './finish-document.ts';
import type { FinishedDocument, FoundEntry, FoundItems } from './found-items.ts';
import { NoticeDocuments, type NoticeKind } from './notice-documents.ts';
import { PackedFrame } from './packed-frame.ts';

/** Why a form came back instead of doing what it was for, and what stood in it. */
export interface FormProblem {
  readonly contactProblem?: string;
  readonly messageProblem?: string;
  readonly typed?: string;
  /** What was said so far, for whoever holds the key. */
  readonly conversation?: Conversation | null;
}

export type ProblemStatus = 403 | 404 | 409 | 422 | 429;
type Status = 200 | 400 | 413 | 415 | 503 | ProblemStatus;

/** What one visitor wrote or was written stays in no cache, not even the browser's: the phone may be somebody else's next. */
const NEVER_KEPT: HeaderRecord = { 'Cache-Control': 'private, no-store' };

export type FinderDocuments = ReturnType<typeof finderDocuments>;

/** What is made once for each build of the pages. */
interface Prepared {
  readonly page: PageBuild;
  readonly frame: PackedFrame;
  readonly templates: FinderTemplates;
  readonly notices: NoticeDocuments;
  readonly headers: Readonly<Record<DocumentEncoding, HeaderRecord>>;
}

/** Answers with the finder's documents: finished ones from memory where an item is shown as it is, else made at once. */
export function finderDocuments(pages: Pages, items: Pick<FoundItems, 'keepDocument'>, config: Config) {
  const site = { productName: config.productName, storagePrefix: config.storagePrefix };
  const common: HeaderRecord = {
    ...documentHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    // Kept by the browser alone, and asked about each time: a page that has not changed costs no bytes.
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Accept-Encoding',
    'X-Robots-Tag': 'noindex',
  };
  let latest: Prepared | undefined;

  function prepare(page: PageBuild): Prepared {
    const identity = {
      ...common,
      'Content-Security-Policy': finderPolicy(page.inlined, { upgrade: isPublicHttps(config) }),
    };
    const frame = frameOf(page.inlined, page.renderNoticeDocument(site, 'unavailable', null));
    return {
      page,
      frame,
      templates: new FinderTemplates((view) =>
        frame.contentOf(page.renderFinderDocument(site, { ...view, conversation: null })),
      ),
      notices: new NoticeDocuments((kind, code, encoding) =>
        finishDocument(frame, Buffer.from(frame.contentOf(page.renderNoticeDocument(site, kind, code))), encoding),
      ),
      headers: { identity, gzip: { ...identity, 'Content-Encoding': 'gzip' } },
    };
  }

  async function current(): Promise<Prepared> {
    const page = await pages.current();
    if (latest?.page !== page) latest = prepare(page);
    return latest;
  }

  async function answer(
    c: Context<AppEnv>,
    document: FinishedDocument,
    headers: HeaderRecord,
    status: Status,
  ): Promise<Response> {
    return c.body(document.bytes, status, { ...headers, 'Content-Length': String(document.bytes.byteLength) });
  }

  return {
    /** The page of an item. `sent` is the shape that says a message has arrived. */
    async item(c: Context<AppEnv>, entry: FoundEntry, sent: boolean): Promise<Response> {
      const { frame, templates, headers } = await current();
      const encoding = encodingFor(c);
      const key = `${sent ? 'sent' : 'plain'}:${encoding}`;
      let finished = pages.viteMiddleware === undefined ? entry.documents.get(key) : undefined;
      if (finished === undefined) {
        const { code, item } = entry;
        finished = finishDocument(frame, templates.content({ code, item, sent }), encoding);
        items.keepDocument(entry, key, finished);
      }
      const stamped = { ...headers[encoding], ETag: finished.etag };
      if (isFresh(c.req.header('if-none-match'), finished.etag)) return c.body(null, 304, stamped);
      // Headers as a plain object, which the adapter writes as they are; the context would make a Headers of them.
      return new Response(finished.bytes, {
        headers: { ...stamped, 'Content-Length': String(finished.bytes.byteLength) },
      });
    },

    /** The page for the one visitor who holds the key of a conversation: nothing keeps a copy of it. */
    async conversation(
      c: Context<AppEnv>,
      { code, item }: FoundEntry,
      shown: { readonly sent: boolean; readonly conversation: Conversation },
    ): Promise<Response> {
      const { page, frame, headers } = await current();
      const encoding = encodingFor(c);
      const html = page.renderFinderDocument(site, { code, item, ...shown });
      const document = finishDocument(frame, Buffer.from(frame.contentOf(html)), encoding);
      return answer(c, document, { ...headers[encoding], ...NEVER_KEPT }, 200);
    },

    /** The same page once, with what was wrong. */
    async problem(
      c: Context<AppEnv>,
      { code, item }: FoundEntry,
      problem: FormProblem,
      status: ProblemStatus,
    ): Promise<Response> {
      const { page, frame, headers } = await current();
      const html = page.renderFinderDocument(site, { code, item, ...problem });
      const document = finishDocument(frame, Buffer.from(frame.contentOf(html)), 'identity');
      return answer(c, document, { ...headers.identity, ...NEVER_KEPT }, status);
    },

    /** Why there is no item to show. The code is named only where it is one. */
    async notice(c: Context<AppEnv>, kind: NoticeKind, code: string | null, status: Status): Promise<Response> {
      const { notices, headers } = await current();
      const encoding = encodingFor(c);
      return answer(c, notices.document(kind, code, encoding), headers[encoding], status);
    },
  };
}

const GZIP_ALONE = { br: false, gzip: true };

function encodingFor(c: Context<AppEnv>): DocumentEncoding {
  return acceptedEncoding(c.req.header('accept-encoding'), GZIP_ALONE) === 'gzip' ? 'gzip' : 'identity';
}

/** What every document has in common with this one: all up to its styles, and all from its script on. */
function frameOf({ styles, script }: PageBuild['inlined'], html: string): PackedFrame {
  return new PackedFrame(html.slice(0, html.indexOf(styles) + styles.length), html.slice(html.lastIndexOf(script)));
}
