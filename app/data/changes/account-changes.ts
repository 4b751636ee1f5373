import type { DataClient } from '#app/client/data-client.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import type { ListedChange } from '#domain/account/account-changes.ts';

/** A change of the account. Times are ISO 8601. */
export interface RecentChange {
  readonly kind: ListedChange;
  readonly at: string;
  /** Whether this session made it. Both are false where it is not known. */
  readonly isHere: boolean;
  /** Whether another session or an operator made it. */
  readonly isElsewhere: boolean;
  /** Why an operator looked at the contact details or made a link; null for all else. */
  readonly reason: string | null;
}

/** What was added to the account, and can be removed. */
export interface Addition {
  readonly kind:
    | 'second_contact'
    | 'notice_address'
    | 'device'
    | 'offer'
    | 'sticker'
    | 'factor'
    | 'passkey'
    | 'identity'
    | 'email'
    | 'phone'
    | 'contact_number';
  readonly id: string;
  readonly name: string;
  readonly at: string;
}

/** The last 30 days of an account, newest first. */
export interface AccountChanges {
  readonly changes: readonly RecentChange[];
  readonly additions: readonly Addition[];
}

/** Returns what happened to the caller's account, and what was added to it. Throws the data service's error. */
export async function loadAccountChanges(client: DataClient): Promise<AccountChanges> {
  const { data, error } = await client.rpc('list_account_changes', undefined, { get: true });
  if (error) throw error;
  // The form of the function's response.
  const { changes, additions } = data as {
    readonly changes: readonly ChangeRow[];
    readonly additions: readonly Addition[];
  };
  return {
    changes: changes.map(({ kind, at, is_here: isHere, is_elsewhere: isElsewhere, reason }) => ({
      kind,
      at,
      isHere,
      isElsewhere,
      reason,
    })),
    additions,
  };
}

interface ChangeRow {
  readonly kind: ListedChange;
  readonly at: string;
  readonly is_here: boolean;
  readonly is_elsewhere: boolean;
  readonly reason: string | null;
}

const SEEN_KEY = 'changes_seen_at';

/**
 * Returns the latest change that another session or an operator made and that this browser has not shown; null without
 * one. Throws the data service's error.
 */
export async function findUnseenChange(client: DataClient): Promise<RecentChange | null> {
  const { changes } = await loadAccountChanges(client);
  const seenAt = localStorage.getItem(keyOfBrowser()) ?? '';
  return changes.find(({ isElsewhere, at, kind }) => isElsewhere && at > seenAt && !QUIET.has(kind)) ?? null;
}

/** Remembers in this browser that the changes were shown. */
export function markChangesSeen({ changes }: AccountChanges): void {
  const [latest] = changes;
  if (latest !== undefined) localStorage.setItem(keyOfBrowser(), latest.at);
}

function keyOfBrowser(): string {
  return `${readPublicConfig().storagePrefix}_${SEEN_KEY}`;
}

/** What an owner does every day, on any device. */
const QUIET: ReadonlySet<ListedChange> = new Set(['finders_page_changed', 'conversation_hidden']);
