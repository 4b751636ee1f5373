import { TYPED_CODE_LENGTH, type TypedCodeProblem } from '../tag-code/typed-code.ts';
import type { TypedCodeWords } from '../words/compiled/types.ts';

/** Says what is wrong with a typed code. */
export function typedCodeProblem(problem: TypedCodeProblem, { typedCode: { problems } }: TypedCodeWords): string {
  switch (problem.kind) {
    case 'empty':
      return problems.empty;
    case 'character':
      return problems.character(problem.character);
    case 'too-short':
      return problems.tooShort({ length: TYPED_CODE_LENGTH, characters: problem.characters });
    case 'too-long':
      return problems.tooLong({ length: TYPED_CODE_LENGTH, characters: problem.characters });
    case 'mistyped':
      return problems.mistyped;
  }
}
