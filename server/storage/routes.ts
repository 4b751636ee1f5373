import { type Context, Hono } from 'hono';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Caller } from '#server/postgres/caller.ts';
import { createAddressTokens } from './address-tokens.ts';
import { createBucket } from './buckets/create-bucket.ts';
import { deleteBucket } from './buckets/delete-bucket.ts';
import { emptyBucket } from './buckets/empty-bucket.ts';
import { getBucket } from './buckets/get-bucket.ts';
import { listBuckets } from './buckets/list-buckets.ts';
import { updateBucket } from './buckets/update-bucket.ts';
import { noSuchRoute, notOffered } from './errors.ts';
import { explainFailure } from './explain-failure.ts';
import { copyObject } from './objects/copy-object.ts';
import { listObjects } from './objects/list-objects.ts';
import { listObjectsV2 } from './objects/list-objects-v2.ts';
import { moveObject } from './objects/move-object.ts';
import { removeObject, removeObjects } from './objects/remove-objects.ts';
import { signObject, signObjects } from './objects/sign-objects.ts';
import { signUpload, uploadBySignedAddress } from './objects/sign-upload.ts';
import { uploadObject } from './objects/upload-object.ts';
import { readingRoutes } from './reading-routes.ts';
import { StorageCall } from './storage-call.ts';
import type { StorageContext } from './storage-context.ts';
import { visitedFrom } from './visited-from.ts';

/** `/storage/v1`: buckets and objects. Each request runs as its caller. */
export function storageRoutes(dependencies: Dependencies): Hono<AppEnv> {
  const { config, database, files, limits, now, resolveCaller } = dependencies;
  const ofAll: StorageContext = {
    database,
    limits,
    now,
    ...files,
    addressTokens: createAddressTokens(database, now),
    mostBytes: config.storage.fileSizeLimit,
    accountBytes: config.storage.accountQuota,
  };
  const routes = new Hono<AppEnv>();

  const contextOf = ({ clientAddress }: StorageCall) => ({ ...ofAll, database: visitedFrom(database, clientAddress) });
  type UseCase = (context: StorageContext, caller: Caller, call: StorageCall) => Promise<unknown>;
  /** Returns a handler that passes the rest of the path to the use case and sends its result as JSON. */
  const serve = (route: string, useCase: UseCase) => async (c: Context<AppEnv>) => {
    const call = new StorageCall(c, route);
    return c.json(await useCase(contextOf(call), await call.caller(resolveCaller), call));
  };
  const on = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', route: string, pattern: string, useCase: UseCase) =>
    routes.on(method, route + pattern, serve(route, useCase));

  on('GET', '/bucket', '', (context, caller, { query }) => listBuckets(context, caller, query));
  on('POST', '/bucket', '', (context, caller, { request }) => createBucket(context, caller, request));
  on('GET', '/bucket/', ':id', (context, caller, { bucketId }) => getBucket(context, caller, bucketId));
  on('PUT', '/bucket/', ':id', (context, caller, { bucketId, request }) =>
    updateBucket(context, caller, bucketId, request),
  );
  on('DELETE', '/bucket/', ':id', (context, caller, { bucketId }) => deleteBucket(context, caller, bucketId));
  on('POST', '/bucket/', ':id/empty', (context, caller, { bucketId }) => emptyBucket(context, caller, bucketId));

  // Longer paths first, because an object can have any name.
  on('POST', '/object/upload/sign/', '*', (context, caller, { path, upserts }) =>
    signUpload(context, caller, path, upserts),
  );
  routes.put('/object/upload/sign/*', async (c) => {
    const call = new StorageCall(c, '/object/upload/sign/');
    const { path, query, request, clientAddress: address } = call;
    return c.json(await uploadBySignedAddress(contextOf(call), path, query.token ?? '', { request, address }));
  });
  on('POST', '/object/sign/', ':bucket', (context, caller, { bucketId, request }) =>
    signObjects(context, caller, bucketId, request),
  );
  on('POST', '/object/sign/', '*', (context, caller, { path, request }) => signObject(context, caller, path, request));
  on('POST', '/object/list/', ':bucket', (context, caller, { bucketId, request }) =>
    listObjects(context, caller, bucketId, request),
  );
  on('POST', '/object/list-v2/', ':bucket', (context, caller, { bucketId, request }) =>
    listObjectsV2(context, caller, bucketId, request),
  );
  on('POST', '/object/move', '', (context, caller, { request }) => moveObject(context, caller, request));
  on('POST', '/object/copy', '', (context, caller, { request, upserts }) =>
    copyObject(context, caller, upserts, request),
  );
  on('DELETE', '/object/', ':bucket', (context, caller, { bucketId, request }) =>
    removeObjects(context, caller, bucketId, request),
  );
  readingRoutes(routes, ofAll, resolveCaller);
  on('POST', '/object/', '*', (context, caller, { path, upserts, request, clientAddress }) =>
    uploadObject(context, { caller, path, upsert: upserts, request, address: clientAddress }),
  );
  on('PUT', '/object/', '*', (context, caller, { path, request, clientAddress }) =>
    uploadObject(context, { caller, path, upsert: true, request, address: clientAddress }),
  );
  on('DELETE', '/object/', '*', (context, caller, { path }) => removeObject(context, caller, path));

  routes.get('/status', (c) => c.text('OK'));
  routes.get('/version', (c) => c.text('1'));

  for (const [pattern, what] of NOT_OFFERED) routes.all(pattern, () => Promise.reject(notOffered(what)));
  routes.all('*', ({ req }) => Promise.reject(noSuchRoute(req.method, req.path)));

  routes.onError((error, c) => {
    const refusal = explainFailure(error);
    // A full disk is logged once, and not with each request.
    if (refusal.status >= 500 && refusal.status !== 507)
      c.get('log').error({ err: error }, 'A storage request failed.');
    return new Response(c.req.method === 'HEAD' ? null : refusal.toJson(), {
      status: refusal.status,
      headers: { ...refusal.headers, 'Content-Type': 'application/json; charset=utf-8' },
    });
  });
  return routes;
}

/** What the official client can request from the hosted service but not from this one. */
const NOT_OFFERED = [
  ['/bucket/:id/lifecycle', 'A lifecycle of objects'],
  ['/cdn/*', 'Purging a cache'],
  ['/vector/*', 'Storing vectors'],
  ['/iceberg/*', 'Storing tables'],
  ['/upload/resumable', 'Resuming an upload'],
  ['/upload/resumable/*', 'Resuming an upload'],
  ['/s3/*', 'The protocol of S3'],
] as const;
