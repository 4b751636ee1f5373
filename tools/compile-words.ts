// `npm run words`: compiles the message files in domain/words. Every start, build, and test does it as well.
import { join } from 'node:path';
import { compileWords } from './words/compile-words.ts';

try {
  compileWords(join(import.meta.dirname, '..'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
