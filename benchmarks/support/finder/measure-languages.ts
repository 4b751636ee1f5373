import { FINDER_LANGUAGES } from '#server/languages/load-language.ts';
import { seedItems } from '../seeds/seed-items.ts';
import { startDatabase } from '../start-database.ts';
import { requireBuiltPages, startService } from '../start-service.ts';

/** What Chromium, Firefox and Safari accept over https. */
const BROWSER = 'gzip, deflate, br, zstd';
const MOST_BYTES = 14_000;

/** Prints how many bytes the finder's document has in each language, largest first. */
export async function measureLanguages(): Promise<void> {
  await requireBuiltPages();
  const database = await startDatabase();
  try {
    const [code = ''] = await seedItems(database.address, 1_000, 1);
    const { port, program } = await startService(database);
    const sizes: { readonly tag: string; readonly bytes: number }[] = [];
    for (const { tag } of FINDER_LANGUAGES) {
      const headers = { 'Accept-Encoding': BROWSER, 'Accept-Language': tag };
      const response = await fetch(`http://127.0.0.1:${port}/item/${code}`, { headers });
      if (!(await response.text()).includes(`<html lang="${tag}"`)) throw new Error(`The document is not in ${tag}.`);
      sizes.push({ tag, bytes: Number(response.headers.get('content-length')) });
    }
    console.table(sizes.toSorted((one, other) => other.bytes - one.bytes));
    const passed = sizes.every(({ bytes }) => bytes > 0 && bytes <= MOST_BYTES);
    console.log(`${passed ? 'PASS' : 'FAIL'} bytes of the document in each language (at most ${MOST_BYTES})`);
    if (!passed) process.exitCode = 1;
    await program.stop();
  } finally {
    await database.stop();
  }
}
