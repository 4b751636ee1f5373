import * as v from 'valibot';

/** A boolean, also as text, which the reference converts. */
export const flag = v.union([
  v.boolean(),
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((text) => text === 'true'),
  ),
]);
