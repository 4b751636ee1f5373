import { isLink } from '#domain/tag-code/read-scanned-value.ts';
import { TAG_CODE_PREFIX } from '#domain/tag-code/tag-code.ts';
import { readTypedCode, type TypedCodeProblem } from '#domain/tag-code/typed-code.ts';

/** Returns what is wrong with the text where it seems to be a typed code; else null. */
export function slipIn(text: string): TypedCodeProblem | null {
  const read = readTypedCode(text);
  if (read.ok || isLink(text) || text.startsWith(TAG_CODE_PREFIX)) return null;
  const { problem } = read;
  // A letter, such as the U that no code has. Other text is no attempt at a code.
  return problem.kind === 'character' && !/\p{Letter}/u.test(problem.character) ? null : problem;
}
