import { Hono } from 'hono';
import type { Database } from '#server/postgres/database.ts';
import type { AppEnv } from './app-env.ts';

const READY_WITHIN_MS = 2_000;

/**
 * `/health/live`: the process responds. `/health/ready`: the database responds in time, else 503. Supervisors use the
 * first, load balancers the second.
 */
export function healthRoutes(database: Pick<Database, 'readAsVisitor'>): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get('/live', (c) => c.json({ status: 'live' }));
  routes.get('/ready', async (c) => {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('The database did not respond in time.')), READY_WITHIN_MS).unref();
    });
    try {
      await Promise.race([database.readAsVisitor({ name: 'health', text: 'select 1' }), late]);
      return c.json({ status: 'ready' });
    } catch (error) {
      c.get('log').warn({ err: error }, 'The readiness check failed.');
      return c.json({ status: 'unavailable' }, 503, { 'Retry-After': '1' });
    }
  });
  return routes;
}
