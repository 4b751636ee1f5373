import { mediaTypeNotAvailable } from '../errors.ts';
import type { BodyForm } from '../sql/response-sql.ts';

/** The EXPLAIN format and options of a request for the query plan. */
export interface PlanRequest {
  readonly format: 'text' | 'json';
  readonly options: readonly PlanOption[];
}

const PLAN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;
type PlanOption = (typeof PLAN_OPTIONS)[number];

/** The requested form of the response. */
export interface Representation {
  /** Exactly one row, as an object. */
  readonly single: boolean;
  readonly form: BodyForm;
  readonly contentType: string;
  /** The query plan instead of the rows. */
  readonly plan: PlanRequest | null;
}

type Form = Pick<Representation, 'single' | 'form'> & { readonly stripped: string | null; readonly plain: string };

const ROWS: BodyForm = { kind: 'rows', stripNulls: false };
const ARRAY: Form = {
  single: false,
  form: ROWS,
  plain: 'application/json',
  stripped: 'application/vnd.pgrst.array+json',
};
const OBJECT: Form = {
  single: true,
  form: ROWS,
  plain: 'application/vnd.pgrst.object+json',
  stripped: 'application/vnd.pgrst.object+json',
};
const CSV: Form = { single: false, form: { kind: 'texts', stripNulls: false }, plain: 'text/csv', stripped: null };

const BY_MEDIA_TYPE: ReadonlyMap<string, Form> = new Map([
  ['*/*', ARRAY],
  ['application/*', ARRAY],
  ['application/json', ARRAY],
  ['application/vnd.pgrst.array', ARRAY],
  ['application/vnd.pgrst.array+json', ARRAY],
  ['application/vnd.pgrst.object', OBJECT],
  ['application/vnd.pgrst.object+json', OBJECT],
  ['text/csv', CSV],
]);

const DEFAULT = made(ARRAY, false);
const PLAN = /^application\/vnd\.pgrst\.plan(?:\+(text|json))?$/;

/** Returns the first available media type of an `Accept` header. Throws PGRST107 where none is. */
export function chooseRepresentation(accept: string | undefined, { plan }: { plan: boolean }): Representation {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return DEFAULT;
  for (const part of accept.split(',')) {
    const [type = '', ...given] = part.split(';').map((side) => side.trim().toLowerCase());
    const parameters = new Map(given.map((side) => pairOf(side)));
    const format = PLAN.exec(type);
    if (format !== null) {
      const planned = plan ? plannedBy(format[1] === 'json' ? 'json' : 'text', parameters) : null;
      if (planned !== null) return planned;
      continue;
    }
    const found = BY_MEDIA_TYPE.get(type);
    const stripNulls = parameters.get('nulls') === 'stripped';
    if (found === undefined || (stripNulls && found.stripped === null)) continue;
    return made(found, stripNulls);
  }
  throw mediaTypeNotAvailable(accept);
}

function made({ single, form, plain, stripped }: Form, stripNulls: boolean): Representation {
  const type = stripNulls ? `${stripped};nulls=stripped` : plain;
  return { single, form: { ...form, stripNulls }, contentType: `${type}; charset=utf-8`, plan: null };
}

function pairOf(parameter: string): readonly [string, string] {
  const equals = parameter.indexOf('=');
  return [parameter.slice(0, equals), parameter.slice(equals + 1).replace(/^"(.*)"$/, '$1')];
}

/** `application/vnd.pgrst.plan+text; for="application/json"; options=analyze|verbose`. */
function plannedBy(format: PlanRequest['format'], parameters: ReadonlyMap<string, string>): Representation | null {
  const of = BY_MEDIA_TYPE.get(parameters.get('for') ?? 'application/json');
  if (of === undefined) return null;
  const words = (parameters.get('options') ?? '').split('|');
  const options = PLAN_OPTIONS.filter((option) => words.includes(option));
  const preferences = options.length === 0 ? '' : `; options=${options.join('|')}`;
  const contentType = `application/vnd.pgrst.plan+${format}; for="${of.plain}"${preferences}; charset=utf-8`;
  return { ...made(of, false), contentType, plan: { format, options } };
}
