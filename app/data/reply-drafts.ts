import * as v from 'valibot';
import { onSessionEnd } from '#app/client/browser-client.ts';
import { readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';

const schema = v.record(v.string(), v.string());

const key = () => `${readPublicConfig().storagePrefix}_reply_drafts`;

let drafts: ReadonlyMap<string, string> | null = null;

/**
 * Returns what the owner has typed into a conversation and not sent yet; '' where nothing. It survives a closed
 * conversation, a change of screen and a reload of this tab.
 */
export function replyDraft(conversationId: string): string {
  return allDrafts().get(conversationId) ?? '';
}

/** Keeps what is typed into a conversation; '' removes it. */
export function keepReplyDraft(conversationId: string, typed: string): void {
  const next = new Map(allDrafts());
  if (typed === '') next.delete(conversationId);
  else next.set(conversationId, typed);
  store(next);
}

function allDrafts(): ReadonlyMap<string, string> {
  if (drafts === null) {
    drafts = readKept();
    // The next user of this tab must not see them.
    onSessionEnd(() => store(new Map()));
  }
  return drafts;
}

function store(next: ReadonlyMap<string, string>): void {
  drafts = next;
  writeSessionStorage(key(), next.size === 0 ? null : JSON.stringify(Object.fromEntries(next)));
}

function readKept(): ReadonlyMap<string, string> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(readSessionStorage(key()) ?? '{}'));
    return new Map(parsed.success ? Object.entries(parsed.output) : []);
  } catch {
    return new Map();
  }
}
