import { build } from './build.mjs';
import { compileWords } from './compile-words.mjs';
import { install } from './install.mjs';
import { checkVersions } from './runtime.mjs';

/** Installs and builds what is missing or outdated. Reports to `out`; prints nothing where there is nothing to do. */
export function setUp({ pages, out = process.stdout }) {
  checkVersions();
  install(out);
  compileWords();
  if (pages) build(out);
}
