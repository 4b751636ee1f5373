import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const COMPRESSIBLE = /\.(?:js|css|svg|json|webmanifest|html|txt|wasm|ico)$/;

/** Writes a `.br` and a `.gz` beside each file that becomes smaller, so that the server never compresses files. */
export async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
  await Promise.all(
    files.map(async (file) => {
      const path = join(file.parentPath, file.name);
      const plain = await readFile(path);
      const packed = {
        br: await brotli(plain, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
          },
        }),
        gz: await zip(plain, { level: 9 }),
      };
      for (const [extension, bytes] of Object.entries(packed)) {
        if (bytes.length < plain.length) await writeFile(`${path}.${extension}`, bytes);
      }
    }),
  );
}
