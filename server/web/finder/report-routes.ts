import { type Context, Hono } from 'hono';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import { onlyOwnForms, refuseForm } from '../forms/own-forms.ts';
import { readForm } from '../forms/read-form.ts';
import { sendReport } from '../report/send-report.ts';
import type { FinderDocuments } from './finder-documents.ts';
import type { FoundEntry } from './item-cache.ts';

export interface ReportRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'database' | 'limits'>;
  readonly documents: Pick<FinderDocuments, 'report' | 'reported'>;
  /** Returns the item with the code in the path, or the response that says why there is none. */
  readonly foundOr: (c: Context<AppEnv>, code: string) => Promise<FoundEntry | Response>;
}

/** `/item/{code}/report`: where a finder reports the page of an item to the operator. A plain form. */
export function reportRoutes({ dependencies, documents, foundOr }: ReportRoutesOptions): Hono<AppEnv> {
  const { config, database, limits } = dependencies;
  const routes = new Hono<AppEnv>({ strict: false });
  const ownFormsAlone = onlyOwnForms(config.publicUrl);
  routes.use('/:code/report', (c, next) => (['GET', 'HEAD'].includes(c.req.method) ? next() : ownFormsAlone(c, next)));

  routes.get('/:code/report', async (c) => {
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;
    if (c.req.query('sent') === '1') return documents.reported(c, found);
    return documents.report(c, found, { kind: '', typed: '' }, 200);
  });

  routes.post('/:code/report', async (c) => {
    const form = await readForm(c);
    if ('status' in form) return refuseForm(c, form.status);
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;
    const { code } = found;
    const kind = form.fields.get('kind') ?? '';
    const typed = form.fields.get('body') ?? '';
    const sent = await sendReport(
      { database, limits },
      { code, kind, body: typed, clientAddress: c.get('clientAddress'), language: visitorLanguage(c) },
    );
    if (!sent.ok) {
      if (sent.status === 429) c.header('Retry-After', String(sent.retryAfterSeconds));
      return documents.report(c, found, { kind, typed, problem: sent.problem }, sent.status);
    }
    c.header('Cache-Control', 'no-store');
    return c.redirect(`/item/${code}/report?sent=1`, 303);
  });

  return routes;
}
