import { TYPED_CODE_LENGTH, type TypedCodeProblem } from '../tag-code/typed-code.ts';

/** The texts about typed codes, in English. */
export const typedCodeEn = {
  typedCode: {
    title: 'Enter the code on the sticker',
    pageTitle: (product: string) => `Enter the code – ${product}`,
    text: 'You found something, and the sticker can’t be scanned? Type its code, and we’ll show you how to reach the owner.',
    label: 'Code on the sticker',
    hint: `${TYPED_CODE_LENGTH} letters and numbers. Capitals, spaces, and hyphens don’t matter.`,
    submit: 'Continue',
    problem(problem: TypedCodeProblem): string {
      switch (problem.kind) {
        case 'empty':
          return 'Type the code first.';
        case 'character':
          return `Our codes have no “${problem.character}”. Compare it with the sticker.`;
        case 'too-short':
          return `Something is missing: a code has ${TYPED_CODE_LENGTH} characters, and this one has ${problem.characters}.`;
        case 'too-long':
          return `That’s too long: a code has ${TYPED_CODE_LENGTH} characters, and this one has ${problem.characters}.`;
        case 'mistyped':
          return 'One character is wrong, or two are swapped. Compare each group with the sticker.';
      }
    },
    unknown:
      'No sticker in use has this code. Compare each group with the sticker. If it’s right, leave what you found where its owner will look: at a front desk, with the driver, or at the nearest lost and found.',
    /** On the finder's page and on the sticker. */
    ofSticker: (typedCode: string) => `Code on the sticker: ${typedCode}`,
    /** Leads to the page where a code can be typed. */
    link: 'Can’t scan it? Enter the code',
  },
};
