import {
  DESK_COLUMNS,
  type Desk,
  type DeskRow,
  type DeskState,
  describeState,
  openFirst,
  toDesk,
} from '#domain/desks/desk.ts';
import { type OpenState, openState } from '#domain/desks/opening-hours.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';

/** A desk as it is now. */
type DeskNow = Pick<Desk, 'id' | 'name' | 'place' | 'phone' | 'languages'> & { readonly state: DeskState };

/** The desks as they are now: open ones first, then in the operator's order. */
export interface DesksNow {
  readonly desks: readonly DeskNow[];
  /** Changes with all that pages show of them. */
  readonly version: string;
}

const MINUTE_MS = 60_000;
/** How long the state of a desk is kept that never changes, as far as can be seen. */
const UNCHANGED_MS = 3_600_000;
const NONE: DesksNow = { desks: [], version: '' };

interface DesksOptions {
  readonly database: Pick<Database, 'readAsVisitor' | 'listen'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Pick<ServiceLog, 'warn'>;
}

export interface Desks {
  /** Without waiting: from memory, worked out once a minute. Hours begin and end with minutes. */
  now(): DesksNow;
  close(): void;
}

/** Reads the desks once, and again when a notification says that they have changed. A scan reads nothing. */
export async function openDesks({ database, now, log }: DesksOptions): Promise<Desks> {
  let known: readonly Desk[] = [];
  /** By the desk's id, until when it is so. */
  const states = new Map<string, { readonly state: OpenState; readonly until: number }>();
  let minute = Number.NaN;
  let current = NONE;
  let reading: Promise<void> | null = null;
  let isStale = true;
  /** When a failed reading is tried again, in milliseconds since the epoch. */
  let triedAt = Number.NEGATIVE_INFINITY;

  async function readAll(): Promise<void> {
    triedAt = now();
    while (isStale) {
      isStale = false;
      try {
        const { rows } = await database.readAsVisitor<DeskRow>({
          name: 'desks_for_pages',
          text: `select ${DESK_COLUMNS} from public.desks where removed_at is null order by position, id`,
          values: [],
        });
        known = rows.map(toDesk);
        states.clear();
        minute = Number.NaN;
      } catch (error) {
        isStale = true;
        log.warn({ err: error }, 'The desks could not be read. Finders see those from before.');
        return;
      }
    }
  }

  function read(): Promise<void> {
    reading ??= readAll().finally(() => {
      reading = null;
    });
    return reading;
  }

  /** The state of a desk, worked out when it changes. */
  function stateOf({ id, hours }: Desk, at: number): DeskState {
    let kept = states.get(id);
    if (kept === undefined || at >= kept.until) {
      const state = openState(hours, at);
      kept = { state, until: state.changesAt ?? at + UNCHANGED_MS };
      states.set(id, kept);
    }
    return describeState(kept.state, hours.timeZone, at);
  }

  const reread = () => {
    isStale = true;
    void read();
  };
  const stopListening = await database.listen('desks_changed', { onPayload: reread, onGap: reread });
  await read();

  return {
    now() {
      const time = now();
      if (isStale && time - triedAt > MINUTE_MS) void read();
      if (known.length === 0) return NONE;
      const at = Math.floor(time / MINUTE_MS);
      if (at === minute) return current;
      minute = at;
      const all = known.map((desk): DeskNow => {
        const { id, name, place, phone, languages } = desk;
        return { id, name, place, phone, languages, state: stateOf(desk, at * MINUTE_MS) };
      });
      const desks = openFirst(all);
      current = { desks, version: JSON.stringify(desks) };
      return current;
    },
    close: stopListening,
  };
}
