import { type RefObject, type SubmitEvent, useState } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { useFieldProblems } from '#app/ui/use-field-problems.ts';

type Texts<Field extends string> = Partial<Record<Field, string>>;

interface FormOptions<Field extends string> {
  /** The names of its inputs. */
  readonly fields: readonly Field[];
  /** What is wrong with what was typed, as far as this browser can tell: a sentence for each such field. */
  readonly check: (values: Readonly<Record<Field, string>>) => Texts<Field> | Promise<Texts<Field>>;
  /** Does what the form is for. Answers with the sentence that refuses it, or one for a field, or null. May throw. */
  readonly send: (values: Readonly<Record<Field, string>>) => Promise<string | Texts<Field> | null>;
  /** Is given what is typed at each edit and when the form is sent, to keep it beyond the form's own life. */
  readonly onTyped?: ((values: Readonly<Record<Field, string>>) => void) | undefined;
}

export interface FormState<Field extends string> {
  /** For the form itself. */
  readonly frame: {
    readonly formRef: RefObject<HTMLFormElement | null>;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
    readonly refusal: string | null;
  };
  /** What is typed at this moment; nothing where the form is not on the screen. */
  readonly values: () => Readonly<Record<Field, string>>;
  /** The sentence under the field, if it was refused. */
  readonly errors: Texts<Field>;
  /** The field has been changed, so what was said of it no longer holds. */
  readonly edited: (field: Field) => void;
  /** It is refused after all, by what came after it was sent: the sentence, or one for a field. */
  readonly refuse: (refused: string | Texts<Field>) => void;
  readonly busy: boolean;
}

/**
 * A form whose inputs keep what was typed themselves. So it makes no difference whether a person or a password manager
 * fills it in before or after this page's script is at work.
 */
export function useForm<Field extends string>({ fields, check, send, onTyped }: FormOptions<Field>): FormState<Field> {
  const { authErrors } = useMessages();
  const { problems, setProblems, clearProblem, formRef } = useFieldProblems<Field, string>();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (refused: string | Texts<Field>) => {
    if (typeof refused === 'string') setRefusal(refused);
    else setProblems(refused);
  };

  const submit = async (values: Readonly<Record<Field, string>>) => {
    const found = await check(values);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    const refused = await send(values);
    if (refused !== null) refuse(refused);
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setRefusal(null);
    setBusy(true);
    const typed = readValues(event.currentTarget, fields);
    onTyped?.(typed);
    submit(typed)
      .catch(() => setRefusal(authErrors.unreachable))
      .finally(() => setBusy(false));
  };

  const values = () => readValues(formRef.current, fields);

  const edited = (field: Field) => {
    clearProblem(field);
    onTyped?.(values());
  };

  return { frame: { formRef, onSubmit, refusal }, values, errors: problems, edited, refuse, busy };
}

function readValues<Field extends string>(
  form: HTMLFormElement | null,
  fields: readonly Field[],
): Record<Field, string> {
  const data = new FormData(form ?? undefined);
  // Every name is one of the fields, and every field gets a value.
  return Object.fromEntries(fields.map((field) => [field, textOf(data.get(field))])) as Record<Field, string>;
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}
