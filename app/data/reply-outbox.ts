import * as v from 'valibot';
import { onSessionEnd } from './browser-client.ts';
import { readSessionStorage, writeSessionStorage } from './browser-storage.ts';
import { sendReply } from './messages.ts';
import { readPublicConfig } from './public-config.ts';
import { untilReached } from './until-reached.ts';

const schema = v.array(
  v.object({
    id: v.string(),
    itemId: v.string(),
    conversationId: v.string(),
    body: v.string(),
    /** ISO 8601. */
    writtenAt: v.string(),
    /** `waiting`: nobody answered yet, and it is tried again. `refused`: only its writer can help. */
    state: v.picklist(['sending', 'waiting', 'refused']),
  }),
);

/** An owner's answer on its way. Its id was made here and stays, so that trying again cannot make two of it. */
export type UnsentReply = v.InferOutput<typeof schema>[number];

/** Told that a message is with the service; what it returns is waited for before the message leaves the outbox. */
type Delivered = () => Promise<void>;

const key = () => `${readPublicConfig().storagePrefix}_unsent_replies`;

let replies: readonly UnsentReply[] = [];
let isRead = false;
let isSending = false;
const listeners = new Set<() => void>();
const deliveredListeners = new Set<Delivered>();

/** Every answer that is not through, oldest first. They outlive the screen, and a reload of this tab. */
export function unsentReplies(): readonly UnsentReply[] {
  if (!isRead) {
    isRead = true;
    replies = readKept();
    // Whoever signs in next is not to find them.
    onSessionEnd(() => change([]));
  }
  return replies;
}

/** Calls the listener whenever one is added, sent or refused. Returns how to stop. */
export function onUnsentReplies(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function onDelivered(listener: Delivered): () => void {
  deliveredListeners.add(listener);
  return () => deliveredListeners.delete(listener);
}

/** Puts an answer into the outbox, or one that was refused once more, and sends whatever is there. */
export function postReply(reply: UnsentReply): void {
  change([...unsentReplies().filter(({ id }) => id !== reply.id), { ...reply, state: 'sending' }]);
  void sendReplies();
}

/** Takes back one that is refused. */
export function discardReply(id: string): void {
  change(unsentReplies().filter((reply) => reply.id !== id));
}

/** Sends what is in the outbox, one after the other so that they arrive in the order in which they were written. */
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
  const outcome = await untilReached(
    // Taken out meanwhile, because the session ended.
    async (client) => (unsentReplies().some(({ id }) => id === reply.id) ? sendReply(client, reply) : 'gone'),
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
