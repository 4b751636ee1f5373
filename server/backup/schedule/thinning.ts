/** Of how many days, weeks, and months the newest backup is kept. */
export interface BackupsKept {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

const KEPT = /^(\d{1,4}) daily,? (\d{1,4}) weekly,? (\d{1,4}) monthly$/;
const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday. */
const FIRST_MONDAY = 3;

/** @example readKept('7 daily 4 weekly 12 monthly'). Returns null for another text, and where nothing would be kept. */
export function readKept(text: string): BackupsKept | null {
  const [daily, weekly, monthly] = (KEPT.exec(text) ?? []).slice(1).map(Number);
  if (daily === undefined || weekly === undefined || monthly === undefined || daily < 1) return null;
  return { daily, weekly, monthly };
}

/**
 * Returns the backups that are too many: none of them is the newest of its day, week, or month (UTC) among those of the
 * latest that have one. The newest of all always stays.
 */
export function tooMany<Backup extends { readonly moment: string }>(
  backups: readonly Backup[],
  { daily, weekly, monthly }: BackupsKept,
): Backup[] {
  const newestFirst = [...backups].sort((one, other) => other.moment.localeCompare(one.moment));
  const kept = new Set<Backup>(newestFirst.slice(0, 1));
  const keep = (most: number, spanOf: (moment: string) => string | number) => {
    const spans = new Set<string | number>();
    for (const backup of newestFirst) {
      const span = spanOf(backup.moment);
      if (spans.has(span)) continue;
      if (spans.size === most) return;
      spans.add(span);
      kept.add(backup);
    }
  };
  keep(daily, (moment) => moment.slice(0, 10));
  keep(weekly, (moment) => Math.floor((Math.floor(Date.parse(moment) / DAY_MS) + FIRST_MONDAY) / 7));
  keep(monthly, (moment) => moment.slice(0, 7));
  return newestFirst.filter((backup) => !kept.has(backup));
}
