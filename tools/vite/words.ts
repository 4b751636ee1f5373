import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { LANGUAGE_LIST } from '../../domain/language-list.ts';

const IMPORTED = /^#words\/([\w-]+)\.ts$/;
const READER = /\/domain\/words\/compiled\/read\/([\w-]+)\.ts$/;
const FUNCTIONS = 'message-functions.ts';
// NUL is Rollup's convention for a module that is no file.
const ENTRY = '\0words:';
/** What a browser imports words from. An import map in each document leads it to the files of its language. */
const SCOPE = 'words/';
/** The file of what every screen has. It also has the functions of messages, which the other files import. */
const COMMON = 'app';
/** The parts that are a file together. Every other part is a file of its own. */
const TOGETHER: ReadonlyMap<string, readonly string[]> = new Map([
  [COMMON, ['app', 'items', 'email-trouble', 'message-photo', 'scanner', 'shared', 'taps']],
  ['item-page', ['item-page', 'photos']],
]);

const fileOf = (part: string) => [...TOGETHER].find(([, parts]) => parts.includes(part))?.[0] ?? part;
const nameOf = (part: string) => part.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** The module with which a screen reads a part of the one language that a browser has. */
const readerOf = (part: string, source: string) =>
  `import { ${nameOf(part)} } from '${source}';\nexport const ${nameOf(part)}Words = () => ${nameOf(part)};\n`;

/**
 * Gives browsers the words of their document's language alone: a screen imports each part under a name such as
 * `words/stickers.js`, and the build writes a folder of such files for each language of owners' screens. On the server,
 * `#words/stickers.ts` finds a part among the languages that are loaded. In development, browsers have English.
 *
 * `.vite/words.json` names the folder of each language, and which words each script imports.
 */
export function words(root: string): Plugin {
  const compiled = join(root, 'domain/words/compiled');
  let isBuild = false;
  return {
    name: 'words',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    resolveId(source) {
      const part = IMPORTED.exec(source)?.[1];
      return part !== undefined && isBuild ? { id: `${SCOPE}${fileOf(part)}.js`, external: true } : null;
    },
    load(id) {
      const part = READER.exec(id)?.[1];
      return part === undefined ? null : readerOf(part, `../en/${part}.ts`);
    },
    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const imported = chunks.map(({ fileName, imports }) => [fileName, imports.filter((id) => id.startsWith(SCOPE))]);
      const folders: Record<string, string> = {};
      for (const { tag } of LANGUAGE_LIST.filter(({ tier }) => tier === 'all')) {
        const files = await bundleLanguage(root, join(compiled, tag));
        const hash = createHash('sha256').update(JSON.stringify(files)).digest('base64url').slice(0, 8);
        const folder = `assets/${SCOPE}${tag}-${hash}/`;
        folders[tag] = folder;
        for (const { fileName, code } of files) {
          this.emitFile({ type: 'asset', fileName: folder + fileName, source: code });
        }
      }
      const source = JSON.stringify({ folders, imported: Object.fromEntries(imported) });
      this.emitFile({ type: 'asset', fileName: '.vite/words.json', source });
    },
  };
}

/** Bundles the words of a language. */
async function bundleLanguage(root: string, folder: string): Promise<Rolldown.OutputChunk[]> {
  const parts = readdirSync(folder)
    .filter((name) => name !== 'index.ts')
    .map((name) => name.slice(0, -'.ts'.length));
  const entries = Map.groupBy(parts, fileOf);
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    plugins: [
      {
        name: 'words-of-a-language',
        enforce: 'pre',
        resolveId(source, importer) {
          if (source.startsWith(ENTRY)) return source;
          const isOfOther = importer !== ENTRY + COMMON && fileOf(basename(importer ?? '', '.ts')) !== COMMON;
          return source.endsWith(FUNCTIONS) && isOfOther ? { id: `./${COMMON}.js`, external: true } : null;
        },
        load(id) {
          if (!id.startsWith(ENTRY)) return null;
          const entry = id.slice(ENTRY.length);
          const readers = entries.get(entry)?.map((part) => readerOf(part, join(folder, `${part}.ts`))) ?? [];
          if (entry !== COMMON) return readers.join('');
          return `${readers.join('')}export { messageFunctions } from '${join(root, 'domain/words', FUNCTIONS)}';`;
        },
      },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        preserveEntrySignatures: 'strict',
        input: Object.fromEntries([...entries.keys()].map((entry) => [entry, ENTRY + entry])),
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  // Without watch mode and with one output configured, the result is a single output.
  const { output } = [result].flat()[0] as Rolldown.RolldownOutput;
  return output.filter((file) => file.type === 'chunk');
}
