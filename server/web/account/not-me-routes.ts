import { Hono } from 'hono';
import { type NotMe, notMeLinks } from '#server/delivery/email/not-me-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { FinderDocuments } from '../finder/finder-documents.ts';
import { onlyOwnForms } from '../forms/own-forms.ts';

export interface NotMeRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'database' | 'secrets' | 'now'>;
  readonly documents: Pick<FinderDocuments, 'notMe'>;
}

/**
 * `/not-me/{token}`: where the notice of an account's change leads an owner who did not make it. Programs that scan emails
 * open every link, so opening it changes nothing: that takes a press of a button, without a script or a session.
 */
export function notMeRoutes({ dependencies, documents }: NotMeRoutesOptions): Hono<AppEnv> {
  const { config, database, now } = dependencies;
  const links = notMeLinks(dependencies);
  const routes = new Hono<AppEnv>({ strict: false });

  routes.get('/:token', (c) =>
    links.read(c.req.param('token'), now()) === null ? documents.notMe(c, 'dead', 404) : documents.notMe(c, 'ask', 200),
  );

  routes.use('/:token', onlyOwnForms(config.publicUrl));
  routes.post('/:token', async (c) => {
    const notMe = links.read(c.req.param('token'), now());
    const isUndone = notMe !== null && (await undo(notMe));
    return isUndone ? documents.notMe(c, 'done', 200) : documents.notMe(c, 'dead', 404);
  });

  async function undo({ userId, sessionId, changedAt, formerEmail, formerPhone }: NotMe): Promise<boolean> {
    const { rows } = await database.asService<{ is_undone: boolean }>({
      name: 'undo_changes',
      text: 'select internal.undo_changes($1, $2, $3, $4, $5) as is_undone',
      values: [userId, sessionId, new Date(changedAt), formerEmail ?? null, formerPhone ?? null],
    });
    return rows[0]?.is_undone ?? false;
  }

  return routes;
}
