import * as v from 'valibot';

/**
 * An array of `least` to `most` entries. The length is checked first: a body of 1 MiB holds half a million entries, and
 * validating each, or describing what is wrong with each, takes seconds.
 *
 * @example
 * v.object({ paths: boundedArray(v.string(), { most: 500 }) });
 */
export function boundedArray<Entry extends v.GenericSchema>(
  entry: Entry,
  { least = 0, most }: { readonly least?: number; readonly most: number },
) {
  return v.pipe(v.array(v.unknown()), v.minLength(least), v.maxLength(most), v.array(entry));
}
