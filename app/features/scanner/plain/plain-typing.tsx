import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { inputLook } from '#app/ui/field/field.tsx';
import { TYPED_CODE_LENGTH } from '#domain/tag-code/typed-code.ts';
import { typedCodeProblem } from '#domain/texts/typed-code-problem.ts';
import { typedCodeWords } from '#words/typed-code.ts';
import { SLIP_CHARACTER, type SlipTexts } from './slip-texts.ts';

/** The longest slip whose length a text names. */
const LONGEST = 40;

/** The form for a code that is typed, for `run-typing.ts`. */
export function PlainTyping() {
  const language = useLanguage();
  const { scanner } = language.texts;
  const words = typedCodeWords(language);
  const withLength = (kind: 'too-short' | 'too-long') => (characters: number) =>
    typedCodeProblem({ kind, characters }, words);
  const slips: SlipTexts = {
    empty: typedCodeProblem({ kind: 'empty' }, words),
    mistyped: typedCodeProblem({ kind: 'mistyped' }, words),
    character: typedCodeProblem({ kind: 'character', character: SLIP_CHARACTER }, words),
    lengths: Array.from({ length: LONGEST }, (_, characters) =>
      withLength(characters < TYPED_CODE_LENGTH ? 'too-short' : 'too-long')(characters),
    ),
    other: scanner.codeInvalid,
  };
  return (
    <div data-view="typing" className="flex flex-1 flex-col justify-center bg-canvas p-6 text-ink">
      <form noValidate data-part="form" data-slips={JSON.stringify(slips)} className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <label htmlFor="scanner-code" className="font-medium text-sm">
            {scanner.codeLabel}
          </label>
          <input
            id="scanner-code"
            type="text"
            dir="ltr"
            aria-describedby="scanner-code-problem scanner-code-hint"
            autoCapitalize="none"
            autoComplete="off"
            enterKeyHint="go"
            autoCorrect="off"
            spellCheck={false}
            className={`${inputLook(false)} aria-invalid:border-danger`}
          />
          <p id="scanner-code-problem" className="font-medium text-danger text-sm empty:hidden" />
          <p id="scanner-code-hint" className="text-ink-soft text-xs">
            {scanner.codeHint}
          </p>
        </div>
        <Button type="submit">{scanner.continue}</Button>
      </form>
    </div>
  );
}
