import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { boundedArray } from '#server/http/bounded-array.ts';
import { readBytes } from '#server/http/read-text.ts';
import { noteRefusal } from '#server/limits/refused-by.ts';
import type { Caller } from '#server/postgres/caller.ts';
import { type UserBroadcast, weightOf } from './broadcast/broadcast.ts';
import { accessTo } from './channels/channel-access.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { RealtimeServer } from './realtime-server.ts';
import { identify } from './wire/identify.ts';
import { PRIVATE_ONLY } from './wire/realtime-errors.ts';

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(REALTIME_LIMITS.nameLength));
const messages = v.object({
  messages: boundedArray(
    v.object({
      topic: name,
      event: name,
      payload: v.optional(v.unknown(), {}),
      private: v.optional(v.boolean(), false),
    }),
    { least: 1, most: REALTIME_LIMITS.messagesPerRequest },
  ),
});

interface BroadcastBody extends UserBroadcast {
  readonly topic: string;
  readonly isPrivate: boolean;
}

/** `/realtime/v1/api/broadcast`: sends a broadcast to a topic without joining it. */
export function broadcastRoutes(dependencies: Dependencies, realtime: RealtimeServer): Hono<AppEnv> {
  const { database, config } = dependencies;
  const app = new Hono<AppEnv>();

  app.post('/broadcast', async (c) => {
    const caller = await callerOf(c, dependencies);
    if (caller instanceof Response) return caller;
    const body = await readBytes(c.req.raw, REALTIME_LIMITS.requestBytes);
    if (typeof body === 'string') return unread(c, body);
    const read = v.safeParse(messages, saysJson(c) ? parseJson(body) : undefined);
    if (!read.success) return c.json({ errors: v.flatten(read.issues) }, 422);
    return send(
      c,
      caller,
      read.output.messages.map(({ topic, event, payload, private: isPrivate }) => ({
        topic,
        event,
        isPrivate,
        payload: JSON.stringify(payload),
      })),
    );
  });

  app.post('/broadcast/:topic/events/:event', async (c) => {
    const caller = await callerOf(c, dependencies);
    if (caller instanceof Response) return caller;
    const query = new URL(c.req.url).searchParams;
    if ([...query.keys()].some((key) => key.startsWith('persist'))) {
      return c.json({ error: 'This server does not keep what clients broadcast' }, 422);
    }
    const { topic, event } = c.req.param();
    if (!v.is(name, topic) || !v.is(name, event)) return c.json({ errors: { root: ['Bad topic or event'] } }, 422);
    const bytes = await readBytes(c.req.raw, REALTIME_LIMITS.requestBytes);
    if (typeof bytes === 'string') return unread(c, bytes);
    const isBinary = c.req.header('content-type')?.startsWith('application/octet-stream') === true;
    const parsed = isBinary ? null : saysJson(c) ? parseJson(bytes) : undefined;
    if (parsed === undefined) return c.json({ errors: { root: ['The body must be JSON'] } }, 422);
    const payload = isBinary ? bytes : JSON.stringify(parsed);
    return send(c, caller, [{ topic, event, isPrivate: query.get('private') === 'true', payload }]);
  });

  /**
   * Responds 202 once the messages are on their way. Messages that the caller may not send are dropped without notice.
   */
  const send = async (c: Context<AppEnv>, caller: Caller, said: readonly BroadcastBody[]): Promise<Response> => {
    if (!config.realtimePublicChannels && said.some(({ isPrivate }) => !isPrivate)) {
      return c.json({ error: PRIVATE_ONLY }, 403);
    }
    const address = c.get('clientAddress');
    const privateTopics = new Set(said.filter(({ isPrivate }) => isPrivate).map(({ topic }) => topic));
    const weight = said.reduce((sum, message) => sum + weightOf(message), 0);
    // Checking the policies of a private topic costs as much as joining it.
    if (!realtime.takeBroadcasts(address, weight) || !realtime.takeJoins(address, privateTopics.size)) {
      return tooFast(c);
    }
    const mayWrite = new Map<string, boolean>();
    for (const topic of privateTopics) {
      const { broadcast } = await accessTo(database, caller, { name: topic, isPrivate: true });
      mayWrite.set(topic, broadcast.write);
    }
    const allowed = said.filter(({ topic, isPrivate }) => !isPrivate || mayWrite.get(topic) === true);
    const broadcasts = allowed.map((message) => ({ ...message, id: randomUUID(), metaJson: null, from: null }));
    return (await realtime.broadcast(broadcasts)) ? c.body(null, 202) : tooFast(c);
  };

  return app;
}

async function callerOf(c: Context<AppEnv>, dependencies: Dependencies): Promise<Caller | Response> {
  const authorization = c.req.header('authorization') ?? null;
  const apiKey = c.req.header('apikey') ?? c.req.query('apikey') ?? null;
  if (authorization === null && apiKey === null) return c.json({ error: 'API key is missing' }, 401);
  const identity = await identify(dependencies, apiKey, authorization);
  return 'code' in identity ? c.json({ error: identity.message }, 401) : identity.caller;
}

function tooFast(c: Context<AppEnv>): Response {
  noteRefusal({ name: 'broadcasts_per_second' });
  return c.json({ error: 'Too many messages per second' }, 429, { 'Retry-After': '1' });
}

function unread(c: Context<AppEnv>, problem: 'too-large' | 'broken-off'): Response {
  return problem === 'too-large'
    ? c.json({ error: 'Payload too large' }, 413)
    : c.json({ error: 'The body did not arrive' }, 400);
}

/** A cross-site HTML form cannot send this content type. */
function saysJson(c: Context<AppEnv>): boolean {
  return /^application\/json\b/i.test(c.req.header('content-type') ?? '');
}

/** Returns undefined for anything but JSON. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
