import * as v from 'valibot';
import { choiceNotOffered, invalidRequest } from '../errors.ts';

/** The parameters of a picture, by the names on the wire. */
const schema = v.object({
  width: v.optional(pixels('width')),
  height: v.optional(pixels('height')),
  resize: v.optional(oneOf('resize', ['cover', 'contain', 'fill'])),
  quality: v.optional(wholeNumber('quality', 20, 100)),
  format: v.optional(oneOf('format', ['origin', 'webp', 'avif'])),
});

/** How a stored picture is wanted. Without a width and a height it keeps its size. */
export type Transform = v.InferOutput<typeof schema>;

/** The largest side of a transformed picture, in pixels. More means this much, as in Supabase Storage. */
const MOST_PIXELS = 2000;

/**
 * Reads the parameters of a URL or of a signature; null where there are none. Throws InvalidRequest for a value that
 * Supabase Storage refuses, and FeatureNotEnabled for a parameter that is not one of these.
 */
export function readTransform(given: Readonly<Record<string, unknown>>): Transform | null {
  const names = Object.keys(given);
  const other = names.find((name) => !Object.hasOwn(schema.entries, name));
  if (other !== undefined) throw choiceNotOffered(`Transforming the ${other} of a picture`);
  if (names.length === 0) return null;
  const read = v.safeParse(schema, given);
  if (!read.success) throw invalidRequest(read.issues[0].message);
  return read.output;
}

const RESIZING = { cover: 'fill', contain: 'fit', fill: 'force' } as const;

/** Returns the value of the header `X-Transformations`, in the words of Supabase Storage. */
export function describeTransform({ width, height, resize, quality, format }: Transform): string {
  const isResized = width !== undefined || height !== undefined;
  const parts = {
    height,
    width,
    resizing_type: isResized ? RESIZING[resize ?? 'cover'] : undefined,
    quality,
    format: format === 'origin' ? undefined : format,
  };
  return Object.entries(parts)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}:${value}`))
    .join(',');
}

/** Zero means that none is asked for. */
function pixels(name: string) {
  return v.pipe(
    wholeNumber(name, 0, Number.MAX_SAFE_INTEGER),
    v.transform((value) => (value === 0 ? undefined : Math.min(value, MOST_PIXELS))),
  );
}

function wholeNumber(name: string, least: number, most: number) {
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))], `${name} must be integer`),
    v.integer(`${name} must be integer`),
    v.minValue(least, `${name} must be >= ${least}`),
    v.maxValue(most, `${name} must be <= ${most}`),
  );
}

function oneOf<const Values extends readonly string[]>(name: string, values: Values) {
  return v.picklist(values, `${name} must be equal to one of the allowed values`);
}
