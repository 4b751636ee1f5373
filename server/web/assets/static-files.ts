import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Context } from 'hono';
import { acceptedEncoding } from '#server/http/accepted-encoding.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { etagOf, isFresh } from '#server/http/etag.ts';
import type { RequestCheck } from '#server/http/request-checks.ts';
import { workerPolicy } from '#server/web/pages/security-headers.ts';

interface StaticFile {
  readonly path: string;
  readonly type: string;
  readonly cacheControl: string;
  readonly isWorker: boolean;
  readonly packed: { br: boolean; gzip: boolean };
  readonly read: Map<string, Promise<StaticBody>>;
}

interface StaticBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

const PACKED_SUFFIX = { br: '.br', gzip: '.gz' } as const;
/** The build's file name of a worker script. */
const WORKER = /^\/assets\/[\w-]+-worker-[\w-]{8}\.js$/;
const HASHED_MAX_AGE = 'public, max-age=31536000, immutable';
const OTHER_MAX_AGE = 'public, max-age=3600, must-revalidate';

/**
 * Serves the files of the build: files with a hash in their name are cached for a year, others for an hour. Only files
 * present at the start are served, by exact name, so no path can leave the folder. Each file is read once.
 */
export async function staticFiles(folder: string): Promise<RequestCheck> {
  const files = await indexOf(folder);
  return (c) => {
    const { path } = c.req;
    const file = files.get(path);
    if (file !== undefined) return serveFile(c, file);
    // A file of an earlier release, requested by a page still open. A page in its place would be loaded as a script.
    return path.startsWith('/assets/') ? c.text('Not found', 404, { 'Cache-Control': 'no-store' }) : undefined;
  };
}

async function serveFile(c: Context<AppEnv>, file: StaticFile): Promise<Response> {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') return c.text('Method not allowed', 405, { Allow: 'GET, HEAD' });

  const encoding = acceptedEncoding(c.req.header('accept-encoding'), file.packed);
  const { bytes, etag } = await read(file, encoding);
  c.header('Content-Type', file.type);
  c.header('Cache-Control', file.cacheControl);
  if (file.isWorker) c.header('Content-Security-Policy', workerPolicy);
  c.header('ETag', etag);
  c.header('Vary', 'Accept-Encoding');
  if (encoding !== 'identity') c.header('Content-Encoding', encoding);
  if (isFresh(c.req.header('if-none-match'), etag)) return c.body(null, 304);
  c.header('Content-Length', String(bytes.byteLength));
  return method === 'HEAD' ? c.body(null) : c.body(bytes);
}

async function indexOf(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = new Set(entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  const files = new Map<string, StaticFile>();
  for (const path of paths) {
    const type = TYPES[extname(path)];
    const name = `/${relative(folder, path).split(sep).join('/')}`;
    // Browsers do not request other types, such as compressed copies and the build tool's manifest.
    if (type === undefined || name.includes('/.')) continue;
    files.set(name, {
      path,
      type,
      isWorker: WORKER.test(name),
      cacheControl: name.startsWith('/assets/') ? HASHED_MAX_AGE : OTHER_MAX_AGE,
      packed: { br: paths.has(`${path}.br`), gzip: paths.has(`${path}.gz`) },
      read: new Map(),
    });
  }
  return files;
}

function read(file: StaticFile, encoding: 'br' | 'gzip' | 'identity'): Promise<StaticBody> {
  let body = file.read.get(encoding);
  if (body === undefined) {
    body = readFile(encoding === 'identity' ? file.path : file.path + PACKED_SUFFIX[encoding]).then((bytes) => ({
      bytes,
      etag: etagOf(bytes),
    }));
    body.catch(() => file.read.delete(encoding));
    file.read.set(encoding, body);
  }
  return body;
}
