import { mediaTypeNotAvailable } from '../errors.ts';

/** How the caller wants rows: an array, or exactly one row as an object. */
export interface Representation {
  readonly single: boolean;
  readonly contentType: string;
}

const ARRAY: Representation = { single: false, contentType: 'application/json; charset=utf-8' };
const OBJECT: Representation = { single: true, contentType: 'application/vnd.pgrst.object+json; charset=utf-8' };

const BY_MEDIA_TYPE: ReadonlyMap<string, Representation> = new Map([
  ['*/*', ARRAY],
  ['application/*', ARRAY],
  ['application/json', ARRAY],
  ['application/vnd.pgrst.array', ARRAY],
  ['application/vnd.pgrst.array+json', ARRAY],
  ['application/vnd.pgrst.object', OBJECT],
  ['application/vnd.pgrst.object+json', OBJECT],
]);

/** The first media type of an `Accept` header that is available here; PGRST107 where none is. */
export function chooseRepresentation(accept: string | undefined): Representation {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return ARRAY;
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((side) => side.trim().toLowerCase());
    if (parameters.some((parameter) => parameter.startsWith('nulls='))) continue;
    const representation = BY_MEDIA_TYPE.get(type);
    if (representation !== undefined) return representation;
  }
  throw mediaTypeNotAvailable(accept);
}
