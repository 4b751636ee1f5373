import { Button } from '#app/ui/button.tsx';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { TYPED_CODE_LENGTH } from '#domain/tag-code/typed-code.ts';
import type { TypedCodeWords } from '#domain/words/compiled/types.ts';

export interface TypedCodeFormProps {
  readonly texts: TypedCodeWords;
  /** What was typed before, shown again with its problem. */
  readonly typed: string;
  readonly problem: string | undefined;
}

/** The page `/found`: a plain form, for a sticker that cannot be scanned. The server checks what was typed. */
export function TypedCodeForm({ texts: { typedCode }, typed, problem }: TypedCodeFormProps) {
  return (
    <section className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6">
      <h1 className="font-bold text-2xl">{typedCode.title}</h1>
      <p className="text-ink-soft">{typedCode.text}</p>
      <form action="/found" className="flex flex-col gap-3">
        <Field id="typed-code" label={typedCode.label} hint={typedCode.hint(TYPED_CODE_LENGTH)} error={problem}>
          {(control) => (
            <input
              {...control}
              name="typed"
              defaultValue={typed}
              dir="ltr"
              autoCapitalize="characters"
              enterKeyHint="go"
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              className={inputLook(problem !== undefined)}
            />
          )}
        </Field>
        <Button type="submit" wide>
          {typedCode.submit}
        </Button>
      </form>
    </section>
  );
}
