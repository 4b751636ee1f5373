import type { Hono } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Caller } from '#server/postgres/caller.ts';
import type { ResolveCaller } from '#server/tokens/resolve-caller.ts';
import { noSuchKey } from './errors.ts';
import { chooseContent } from './objects/choose-size.ts';
import { describeObject } from './objects/describe-object.ts';
import {
  type DescribedObject,
  findObjectAs,
  findPublicObject,
  findReadableObject,
  findSignedObject,
} from './objects/find-object.ts';
import { serveObject } from './objects/serve-object.ts';
import { servePicture } from './objects/serve-picture.ts';
import { readTransform, type Transform } from './pictures/transform.ts';
import { StorageCall } from './storage-call.ts';
import type { StorageContext } from './storage-context.ts';
import { visitedFrom } from './visited-from.ts';

interface Permission {
  readonly object: DescribedObject;
  /** When the permission expires, in Unix seconds. */
  readonly expiresAt?: number;
  /** How the signed token wants the picture. The URL's own parameters do not count then. */
  readonly transform?: Transform;
}

/**
 * The routes for reading an object: from a public bucket, with a signed URL, or under row-level security. Each scope
 * grants access its own way.
 */
export function readingRoutes(routes: Hono<AppEnv>, context: StorageContext, resolveCaller: ResolveCaller): void {
  const { addressTokens, blobs, database } = context;

  const read = async (call: StorageCall, caller: Caller | null): Promise<Permission> => ({
    object: await findReadableObject(caller)(visitedFrom(database, call.clientAddress), call.path),
  });
  const inPublic = async ({ path }: StorageCall): Promise<Permission> => ({
    object: await findPublicObject(database, path),
  });
  const underPolicies = async (call: StorageCall): Promise<Permission> => ({
    object: await findObjectAs(await call.caller(resolveCaller))(visitedFrom(database, call.clientAddress), call.path),
  });
  const asCaller = async (call: StorageCall): Promise<Permission> => read(call, await call.caller(resolveCaller));
  const withOrWithoutKey = async (call: StorageCall): Promise<Permission> =>
    read(call, call.hasKey ? await call.caller(resolveCaller) : null);
  const bySignature = async ({ path, query }: StorageCall): Promise<Permission> => {
    const url = `${path.bucketId}/${path.name}`;
    const {
      exp,
      transform,
      width,
      object: id,
    } = await addressTokens.verify(query.token ?? '', { url, scope: 'download' });
    const object = await findSignedObject(database, path);
    if (id !== undefined && id !== object.id) throw noSuchKey();
    return {
      object,
      expiresAt: exp,
      transform: readTransform({ ...transform, ...(width !== undefined && { width }) }) ?? {},
    };
  };

  type Permit = (call: StorageCall) => Promise<Permission>;
  type Respond = (call: StorageCall, permission: Permission) => Promise<Response>;
  const on = (route: string, permit: Permit, respond: Respond) =>
    routes.get(`${route}*`, async (c) => {
      const call = new StorageCall(c, route);
      return respond(call, await permit(call));
    });

  const content: Respond = (call, { object, expiresAt }) =>
    serveObject(blobs, chooseContent(object), serveOptions(call, expiresAt));
  const picture: Respond = (call, { object, expiresAt, transform = transformIn(call) }) =>
    servePicture(context, object, transform, {
      ...serveOptions(call, expiresAt),
      clientAddress: call.clientAddress,
    });
  /** `no-cache`, although the object may be cached: it says whether the object is still there. */
  const description: Respond = async (_call, { object }) => {
    const headers = {
      'Cache-Control': 'no-cache',
      ...(object.metadata !== null && {
        ETag: object.metadata.eTag,
        'Last-Modified': new Date(object.metadata.lastModified).toUTCString(),
      }),
    };
    return Response.json(describeObject(object), { headers });
  };

  on('/object/public/', inPublic, content);
  on('/object/sign/', bySignature, content);
  on('/object/authenticated/', asCaller, content);
  on('/object/info/public/', inPublic, description);
  on('/object/info/authenticated/', asCaller, description);
  on('/object/info/', withOrWithoutKey, description);
  on('/render/image/public/', inPublic, picture);
  on('/render/image/sign/', bySignature, picture);
  on('/render/image/authenticated/', underPolicies, picture);
  on('/object/', withOrWithoutKey, content);
}

function serveOptions({ method, request, query }: StorageCall, expiresAt: number | undefined) {
  return {
    method,
    headers: request.headers,
    download: query.download,
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** `download` and the client's `cacheNonce` do not belong to the transformation. */
function transformIn({ query }: StorageCall): Transform {
  const { download: _download, cacheNonce: _nonce, ...transform } = query;
  return readTransform(transform) ?? {};
}
