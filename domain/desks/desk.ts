import { clockOf } from '../contact/local-moment.ts';
import { DAY_MS, type OpeningHours, type OpenState, openState } from './opening-hours.ts';

/** Where finders hand things in. All of it is public. */
export interface Desk {
  readonly id: string;
  readonly name: string;
  readonly place: string;
  readonly phone: string | null;
  /** Spoken there. BCP 47. */
  readonly languages: readonly string[];
  readonly hours: OpeningHours;
}

/** The columns of `desks`. */
export interface DeskRow extends Omit<Desk, 'hours'>, Pick<OpeningHours, 'week' | 'days'> {
  readonly time_zone: string;
}

/** The columns of `desks` that pages and emails read. */
export const DESK_COLUMNS = 'id, name, place, phone, languages, week, days, time_zone';

export function toDesk({ id, name, place, phone, languages, week, days, time_zone: timeZone }: DeskRow): Desk {
  return { id, name, place, phone, languages, hours: { week, days, timeZone } };
}

/** Whether a desk is open, and how the time of the next change is written: `date` where its weekday would not be clear. */
export interface DeskState extends OpenState {
  readonly timeZone: string;
  readonly form: 'time' | 'weekday' | 'date';
}

/** The most desks on an item's page. */
export const MOST_ON_PAGE = 3;

/** Puts open desks first; each keeps its place among the others. */
export function openFirst<Shown extends { readonly state: OpenState }>(desks: readonly Shown[]): readonly Shown[] {
  return [...desks.filter(({ state }) => state.isOpen), ...desks.filter(({ state }) => !state.isOpen)];
}

/** Returns whether a desk is open at an instant (milliseconds since the epoch), as its clock says it. */
export function deskState({ hours }: Pick<Desk, 'hours'>, now: number): DeskState {
  return describeState(openState(hours, now), hours.timeZone, now);
}

/** Describes a state at an instant (milliseconds since the epoch) on the desk's clock. */
export function describeState(state: OpenState, timeZone: string, now: number): DeskState {
  const clock = clockOf(timeZone);
  const dayOf = (instant: number) => Date.parse(clock(instant).slice(0, 10));
  const ahead = state.changesAt === null ? 0 : (dayOf(state.changesAt) - dayOf(now)) / DAY_MS;
  return { ...state, timeZone, form: ahead === 0 ? 'time' : ahead < 7 ? 'weekday' : 'date' };
}
