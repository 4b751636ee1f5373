import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { readableAccent } from '#domain/brand/accent-colors.ts';
import type { BrandLink } from '#domain/brand/brand.ts';
import { json } from './values.ts';

/** An image that stands in place of the product's mark. */
export interface LogoFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Changes with the bytes. */
  readonly version: string;
}

/** What the operator shows of themselves; null is the product's own. */
export interface BrandSettings {
  /** `#rrggbb`. It can be read on every light ground. */
  readonly color: string | null;
  readonly logo: LogoFile | null;
  readonly sentence: string | null;
  readonly links: readonly BrandLink[];
}

/** It is loaded on every first visit. */
const MOST_LOGO_BYTES = 65_536;
/** Its root element, after what XML allows before it. */
const SVG = /^\s*(<\?xml[^>]*>|<!--.*?-->|<!doctype[^>]*>|\s)*<svg[\s>]/is;
const LINKS = 'must be names and addresses as JSON, such as {"Imprint":"https://example.org/imprint"}, at most 4';

const color = v.pipe(
  v.string(),
  v.regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #0b5d4d'),
  v.toLowerCase(),
  v.check(
    (color) => readableAccent(color) === color,
    ({ input }) =>
      `must be darker: on white it has too little contrast to be read. The nearest such color is ${readableAccent(input)}`,
  ),
);

const logo = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): LogoFile => {
    const read = readLogo(dataset.value);
    if (typeof read !== 'string') return read;
    addIssue({ message: read });
    return NEVER;
  }),
);

const link = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40));
const address = v.pipe(v.string(), v.url(), v.startsWith('https://'));

/** The variables of what the operator shows of themselves. */
export const brandVariables = {
  BRAND_COLOR: v.optional(color),
  BRAND_LOGO: v.optional(logo),
  BRAND_SENTENCE: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(160, 'must have at most 160 characters'))),
  BRAND_LINKS: v.optional(
    v.pipe(
      json(
        v.pipe(
          v.unknown(),
          v.check((links) => !Array.isArray(links)),
          v.record(link, address),
        ),
        LINKS,
      ),
      v.transform((links): BrandLink[] => Object.entries(links).map(([text, url]) => ({ text, url }))),
      v.maxLength(4, LINKS),
    ),
    '{}',
  ),
};

export function brandSettings(env: v.InferOutput<v.ObjectSchema<typeof brandVariables, undefined>>): BrandSettings {
  return {
    color: env.BRAND_COLOR ?? null,
    logo: env.BRAND_LOGO ?? null,
    sentence: env.BRAND_SENTENCE ?? null,
    links: env.BRAND_LINKS,
  };
}

/** Returns what is wrong with the file, where it cannot be used. */
function readLogo(path: string): LogoFile | string {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(readFileSync(path));
  } catch (error) {
    return `must be an image that the service can read: ${error instanceof Error ? error.message : 'unknown'}`;
  }
  const type = typeOf(bytes);
  if (type === null) return 'must be an image: SVG, PNG, or WebP';
  if (bytes.byteLength > MOST_LOGO_BYTES) return `must be an image of at most ${MOST_LOGO_BYTES / 1024} kB`;
  return { bytes, type, version: createHash('sha256').update(bytes).digest('hex').slice(0, 12) };
}

function typeOf(bytes: Uint8Array): string | null {
  const beginning = Buffer.from(bytes.subarray(0, 1_024));
  if (beginning.subarray(1, 4).toString('latin1') === 'PNG') return 'image/png';
  if (beginning.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp';
  return SVG.test(beginning.toString()) ? 'image/svg+xml' : null;
}
