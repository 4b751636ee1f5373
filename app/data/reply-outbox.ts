import * as v from 'valibot';
import { onSessionEnd, withBrowserClient } from '#app/client/browser-client.ts';
import { readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { retryUntilOnline } from '#app/resilience/retry-until-online.ts';
import { type ReplyPhrase, sendReply } from './replies/send-reply.ts';

const schema = v.array(
  v.object({
    id: v.string(),
    itemId: v.string(),
    conversationId: v.string(),
    body: v.string(),
    /** As this page has stored it. */
    phrase: v.optional(v.custom<ReplyPhrase>(() => true)),
    /** ISO 8601. */
    writtenAt: v.string(),
    /** `waiting`: no response arrived, and it is retried. `refused`: only its writer can resolve it. */
    state: v.picklist(['sending', 'waiting', 'refused']),
  }),
);

/**
 * An owner's reply that has not been sent yet. Its id is generated here and kept, so that retries cannot duplicate it.
 */
export type UnsentReply = v.InferOutput<typeof schema>[number];

/** Called when the service has accepted a reply. The reply stays in the outbox until the returned promise settles. */
type Delivered = () => Promise<void>;

const key = () => `${readPublicConfig().storagePrefix}_unsent_replies`;

let replies: readonly UnsentReply[] = [];
let isRead = false;
let isSending = false;
const listeners = new Set<() => void>();
const deliveredListeners = new Set<Delivered>();

/**
 * Returns all replies that have not been sent, oldest first. They survive a change of screen and a reload of this tab.
 */
export function unsentReplies(): readonly UnsentReply[] {
  if (!isRead) {
    isRead = true;
    replies = readKept();
    // The next user of this tab must not see them.
    onSessionEnd(() => change([]));
  }
  return replies;
}

/** Calls the listener when a reply is added, sent or refused. Returns a function that unsubscribes. */
export function onUnsentReplies(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function onDelivered(listener: Delivered): () => void {
  deliveredListeners.add(listener);
  return () => deliveredListeners.delete(listener);
}

/** Adds a reply to the outbox, or retries a refused one, and sends the outbox. */
export function postReply(reply: UnsentReply): void {
  change([...unsentReplies().filter(({ id }) => id !== reply.id), { ...reply, state: 'sending' }]);
  void sendReplies();
}

/** Removes a refused reply. */
export function discardReply(id: string): void {
  change(unsentReplies().filter((reply) => reply.id !== id));
}

/** Sends the outbox in order, one reply at a time, so that replies arrive in the order in which they were written. */
export async function sendReplies(): Promise<void> {
  if (isSending) return;
  isSending = true;
  try {
    for (let next = nextToSend(); next !== undefined; next = nextToSend()) await send(next);
  } finally {
    isSending = false;
  }
}

async function send(reply: UnsentReply): Promise<void> {
  const outcome = await retryUntilOnline(
    // The reply was removed in the meantime, because the session ended.
    withBrowserClient(async (client) =>
      unsentReplies().some(({ id }) => id === reply.id) ? sendReply(client, reply) : 'gone',
    ),
    () => mark(reply.id, 'waiting'),
  );
  if (outcome === 'refused') return mark(reply.id, 'refused');
  if (outcome === 'sent') await Promise.allSettled([...deliveredListeners].map((listener) => listener()));
  discardReply(reply.id);
}

function nextToSend(): UnsentReply | undefined {
  return unsentReplies().find(({ state }) => state !== 'refused');
}

function mark(id: string, state: UnsentReply['state']): void {
  change(unsentReplies().map((reply) => (reply.id === id ? { ...reply, state } : reply)));
}

function change(next: readonly UnsentReply[]): void {
  replies = next;
  writeSessionStorage(key(), next.length === 0 ? null : JSON.stringify(next));
  for (const listener of listeners) listener();
}

function readKept(): readonly UnsentReply[] {
  try {
    const parsed = v.safeParse(schema, JSON.parse(readSessionStorage(key()) ?? '[]'));
    return parsed.success ? parsed.output : [];
  } catch {
    return [];
  }
}
