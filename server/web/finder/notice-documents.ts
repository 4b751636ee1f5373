import type { PageBuild } from '../pages/pages.ts';
import type { DocumentEncoding } from './finish-document.ts';
import type { FinishedDocument } from './found-items.ts';

export type NoticeKind = Parameters<PageBuild['renderNoticeDocument']>[1];

type FinishNotice = (kind: NoticeKind, code: string | null, encoding: DocumentEncoding) => FinishedDocument;

/**
 * The pages that say why there is nothing to show: too many look-ups, a database that is away, no such page. Each is
 * rendered and compressed once and is the same for everyone, so that a refusal costs less than what it refuses. One that
 * names a code is made for its request.
 */
export class NoticeDocuments {
  #finish: FinishNotice;
  #finished = new Map<string, FinishedDocument>();

  constructor(finish: FinishNotice) {
    this.#finish = finish;
  }

  document(kind: NoticeKind, code: string | null, encoding: DocumentEncoding): FinishedDocument {
    if (code !== null) return this.#finish(kind, code, encoding);
    const key = `${kind} ${encoding}`;
    let document = this.#finished.get(key);
    if (document === undefined) {
      document = this.#finish(kind, null, encoding);
      this.#finished.set(key, document);
    }
    return document;
  }
}
