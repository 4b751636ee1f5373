import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { freePort } from '#server/postgres/embedded/free-port.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** Serves the document at `url` as a static file, compressed beforehand, with the files of the build beside it. */
export async function serveStaticCopy(url: string, filesFolder: string) {
  const html = Buffer.from(await (await fetch(url)).arrayBuffer());
  const copies = { br: brotliCompressSync(html), gzip: gzipSync(html, { level: 9 }) };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = /\bbr\b/.test(accepted) ? 'br' : 'gzip';
    if (path === '/') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': encoding });
      response.end(copies[encoding]);
      return;
    }
    const body = await readFile(join(filesFolder, path)).catch(() => null);
    response.writeHead(body === null ? 404 : 200, { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' });
    response.end(body);
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    url: `http://localhost:${port}/`,
    stop: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
