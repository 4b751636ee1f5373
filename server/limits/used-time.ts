import { RecentEntries } from './recent-entries.ts';

/** In milliseconds: the time after which a holder's recorded use is halved. */
const HALF_LIFE_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** How long each holder's work has run recently, in milliseconds. Of more than 10,000 holders the most recent are kept. */
export class UsedTime {
  #now: () => number;
  #entries = new RecentEntries(MOST_REMEMBERED, () => ({ ms: 0, at: 0 }));

  /** @param now - Milliseconds of any clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  of(holder: string): number {
    const entry = this.#entries.peek(holder);
    return entry === undefined ? 0 : entry.ms * 0.5 ** ((this.#now() - entry.at) / HALF_LIFE_MS);
  }

  add(holder: string, ms: number): void {
    const recent = this.of(holder);
    const entry = this.#entries.use(holder);
    entry.ms = recent + ms;
    entry.at = this.#now();
  }
}
