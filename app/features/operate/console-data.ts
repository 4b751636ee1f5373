import type { DeskRow } from '#domain/desks/desk.ts';
import { callAsOperator, isRefused } from './operator-calls.ts';

export interface ServiceState {
  readonly database: { readonly version: string; readonly bytes: number };
  readonly jobs: { readonly due: number; readonly oldest_due_seconds: number; readonly failed: number };
  readonly push: { readonly devices: number; readonly failing: number };
  readonly refused_addresses: number;
  readonly disk: { readonly free: number; readonly reserve: number } | null;
  readonly store: { readonly kind: 'folder' | 'object_store'; readonly works: boolean };
  readonly mail: { readonly kind: 'server' | 'none' | 'outbox'; readonly works: boolean };
  readonly sms: boolean;
  readonly has_push: boolean;
  /** Null where the service makes none by itself. */
  readonly backup: {
    readonly every: 'hour' | 'day';
    readonly works: boolean;
    /** Null where there is none yet. */
    readonly age_seconds: number | null;
  } | null;
}

export interface OpenReport {
  readonly id: string;
  readonly kind: 'planted' | 'abuse' | 'wrong_item' | 'harassment' | 'fraud' | 'spam' | 'other';
  readonly qr_id: string;
  readonly body: string | null;
  readonly created_at: string;
  readonly repeats: number;
  readonly owner_then: string | null;
  readonly reported_by: string | null;
  readonly taken_down_at: string | null;
}

export interface StickerBatch {
  readonly id: string;
  readonly label: string;
  readonly note: string | null;
  readonly size: number;
  readonly recorded: number;
  readonly created_at: string;
  readonly voided_at: string | null;
  readonly void_reason: string | null;
  readonly claimed: number;
  readonly void: number;
}

/** A hand-in desk. */
export type ConsoleDesk = DeskRow & { readonly position: number };

/** A job that failed. */
export interface FailedJob {
  readonly task: string;
  readonly attempts: number;
  readonly is_retried: boolean;
  readonly next_at: string;
  readonly failed_at: string;
  readonly created_at: string;
  readonly reason: string | null;
}

/** In all, and of the last 30 days. */
type Counted<Value = number> = readonly [Value, Value];

export interface Returns {
  readonly accounts: number;
  readonly tagged: Counted;
  readonly messages: Counted;
  readonly returned: Counted;
  readonly median_seconds: Counted<number | null>;
}

export const TABS = ['service', 'accounts', 'reports', 'stickers', 'desks', 'deliveries', 'returns'] as const;
export type Tab = (typeof TABS)[number];

/** What a tab of the console shows, or why it shows nothing. */
export type ConsoleData =
  | { readonly tab: 'service'; readonly service: ServiceState }
  | { readonly tab: 'accounts' }
  | { readonly tab: 'reports'; readonly reports: readonly OpenReport[] }
  | { readonly tab: 'stickers'; readonly batches: readonly StickerBatch[] }
  | { readonly tab: 'desks'; readonly desks: readonly ConsoleDesk[] }
  | { readonly tab: 'deliveries'; readonly failed: readonly FailedJob[] }
  | { readonly tab: 'returns'; readonly returns: Returns }
  | { readonly tab: 'refused'; readonly needs: 'role' | 'secondFactor' };

/** Loads one tab. Throws the data service's error, except for a caller who may not see the console. */
export async function loadConsole(tab: Tab): Promise<ConsoleData> {
  try {
    switch (tab) {
      case 'service':
        return { tab, service: await callAsOperator('look_at_service') };
      case 'accounts':
        // It has nothing to load, and is closed to others all the same.
        await callAsOperator('look_for_account', { query_param: '' });
        return { tab };
      case 'reports':
        return { tab, ...(await callAsOperator<{ reports: OpenReport[] }>('look_at_reports')) };
      case 'stickers':
        return { tab, batches: await callAsOperator('look_at_batches') };
      case 'desks':
        return { tab, desks: await callAsOperator('look_at_desks') };
      case 'deliveries':
        return { tab, failed: await callAsOperator('look_at_deliveries') };
      case 'returns':
        return { tab, returns: await callAsOperator('look_at_returns') };
    }
  } catch (error) {
    if (isRefused(error, '42501')) return { tab: 'refused', needs: 'role' };
    if (isRefused(error, 'PT403')) return { tab: 'refused', needs: 'secondFactor' };
    throw error;
  }
}
