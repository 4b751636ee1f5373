import type { PageBuild } from '../pages/pages.ts';
import type { DocumentEncoding } from './finish-document.ts';
import type { FinishedDocument } from './item-cache.ts';

export type NoticeKind = Parameters<PageBuild['renderNoticeDocument']>[2];

type FinishNotice = (kind: NoticeKind, code: string | null, encoding: DocumentEncoding) => FinishedDocument;

/**
 * Pages that say why nothing is shown: too many lookups, an unreachable database, or no such page. Each is rendered and
 * compressed once for everyone, so that a refusal costs less than what it refuses. A page that names a code is rendered
 * for its request.
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
