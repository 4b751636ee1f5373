import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { LANGUAGE_LIST } from '../../domain/language-list.ts';
import { OWNER_PARTS } from '../../domain/words/owner-parts.ts';
import { checkWords, needs, type Tiers } from './check-words.ts';
import {
  generateIndex,
  generateLoader,
  generateModule,
  generateReader,
  generateStickerCalls,
  generateTypeNames,
  generateTypes,
} from './generate-module.ts';
import { readWords, SOURCE, WORDS } from './read-words.ts';

const TIERS: Tiers = {
  ownerParts: OWNER_PARTS,
  ownerLanguages: LANGUAGE_LIST.filter(({ tier }) => tier === 'all').map(({ tag }) => tag),
};

/**
 * Compiles the message files into `domain/words/compiled`: a TypeScript module for each part and language. Writes only what
 * has changed, and removes what is left of files that are gone.
 *
 * @throws Error that names every fault with its file and key. Then nothing is written.
 */
export function compileWords(root: string, tiers = TIERS): void {
  const faults: string[] = [];
  const checked = checkWords(readWords(root, faults), tiers, faults);
  const ownersFiles = checked.filter(({ language }) => tiers.ownerLanguages.includes(language));
  const typeNames = generateTypeNames(ownersFiles, faults);
  if (faults.length > 0) throw new Error(`The message files have faults:\n${faults.join('\n')}`);
  // A part beyond the tier of its language waits for the others.
  const files = checked.filter(({ language, part }) => needs(language, part, tiers));
  const source = files.filter(({ language }) => language === SOURCE);
  const byLanguage = Map.groupBy(files, ({ language }) => language);
  const { ownerParts, ownerLanguages } = tiers;
  const modules = new Map([
    ['types.ts', generateTypes(source, ownerParts)],
    ['type-names.ts', typeNames],
    ['sticker-calls.ts', generateStickerCalls(files)],
    ['load-words.ts', generateLoader([...byLanguage.keys()], ownerLanguages)],
    ...source.map(({ part }) => [`read/${part}.ts`, generateReader(part)] as const),
    ...[...byLanguage].map(
      ([language, parts]) => [`${language}/index.ts`, generateIndex(parts, ownerLanguages.includes(language))] as const,
    ),
    ...files.map((file) => [`${file.language}/${file.part}.ts`, generateModule(file)] as const),
  ]);
  const compiled = join(root, WORDS, 'compiled');
  for (const [path, source] of modules) write(join(compiled, path), source);
  for (const entry of readdirSync(compiled, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !modules.has(relative(compiled, file).replaceAll('\\', '/'))) rmSync(file);
  }
}

function write(file: string, source: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === source) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
}
