/** The columns of `desks` that describe one. All of them are public. */
export const DESK_COLUMNS = 'id, name, place, phone, languages, latitude, longitude, week, days, time_zone';
