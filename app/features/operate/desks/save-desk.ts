import type { ConsoleDesk } from '../console-data.ts';
import { callAsOperator } from '../operator-calls.ts';

/** A desk without its id, or with that of the one that gets these values. */
export type SavedDesk = Omit<ConsoleDesk, 'id' | 'position'> & Partial<Pick<ConsoleDesk, 'id'>>;

/** Adds a desk, or changes it. It keeps its place in the order. Throws the data service's error. */
export function saveDesk(desk: SavedDesk): Promise<string> {
  return callAsOperator('save_desk', {
    name_param: desk.name,
    place_param: desk.place,
    time_zone_param: desk.time_zone,
    week_param: desk.week,
    days_param: desk.days,
    phone_param: desk.phone,
    languages_param: desk.languages,
    desk_id_param: desk.id ?? null,
  });
}
