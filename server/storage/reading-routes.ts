import type { Hono } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { ResolveCaller } from '#server/tokens/resolve-caller.ts';
import { noSuchKey } from './errors.ts';
import { chooseContent, chooseSize, readTransform } from './objects/choose-size.ts';
import { describeObject } from './objects/describe-object.ts';
import { type DescribedObject, findObjectAs, findPublicObject, findSignedObject } from './objects/find-object.ts';
import { serveObject } from './objects/serve-object.ts';
import { StorageCall } from './storage-call.ts';
import type { StorageContext } from './storage-context.ts';
import { visitedFrom } from './visited-from.ts';

interface Permission {
  readonly object: DescribedObject;
  /** When the permission expires, in Unix seconds. */
  readonly expiresAt?: number;
  /** The width in the signed token. */
  readonly width?: number | undefined;
}

/**
 * The routes for reading an object: from a public bucket, with a signed URL, or under row-level security. Each scope
 * grants access its own way.
 */
export function readingRoutes(routes: Hono<AppEnv>, context: StorageContext, resolveCaller: ResolveCaller): void {
  const { addressTokens, blobs, database } = context;

  const inPublic = async ({ path }: StorageCall): Promise<Permission> => ({
    object: await findPublicObject(database, path),
  });
  const asCaller = async (call: StorageCall): Promise<Permission> => ({
    object: await findObjectAs(await call.caller(resolveCaller))(visitedFrom(database, call.clientAddress), call.path),
  });
  const bySignature = async ({ path, query }: StorageCall): Promise<Permission> => {
    const url = `${path.bucketId}/${path.name}`;
    const { exp, width, object: id } = await addressTokens.verify(query.token ?? '', { url, scope: 'download' });
    const object = await findSignedObject(database, path);
    if (id !== undefined && id !== object.id) throw noSuchKey();
    return { object, expiresAt: exp, width };
  };

  type Permit = (call: StorageCall) => Promise<Permission>;
  type Respond = (call: StorageCall, permission: Permission) => Promise<Response>;
  const read = (route: string, permit: Permit, respond: Respond) =>
    routes.get(`${route}*`, async (c) => {
      const call = new StorageCall(c, route);
      return respond(call, await permit(call));
    });

  const content: Respond = (call, { object, expiresAt }) =>
    serveObject(blobs, chooseContent(object), serveOptions(call, expiresAt));
  const picture: Respond = (call, { object, expiresAt, width }) =>
    serveObject(blobs, chooseSize(object, width ?? widthIn(call)), serveOptions(call, expiresAt));
  const description: Respond = async (_call, { object }) => Response.json(describeObject(object));

  read('/object/public/', inPublic, content);
  read('/object/sign/', bySignature, content);
  read('/object/authenticated/', asCaller, content);
  read('/object/info/public/', inPublic, description);
  read('/object/info/authenticated/', asCaller, description);
  read('/object/info/', asCaller, description);
  read('/render/image/public/', inPublic, picture);
  read('/render/image/sign/', bySignature, picture);
  read('/render/image/authenticated/', asCaller, picture);
  read('/object/', asCaller, content);
}

function serveOptions({ method, request, query }: StorageCall, expiresAt: number | undefined) {
  return {
    method,
    headers: request.headers,
    download: query.download,
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** Returns the requested width. `download` and the client's `cacheNonce` do not belong to the transformation. */
function widthIn({ query }: StorageCall): number {
  const { download: _download, cacheNonce: _nonce, ...transform } = query;
  return readTransform(transform);
}
