import { type RefObject, type SubmitEvent, useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { useFieldProblems } from '#app/ui/field/use-field-problems.ts';
import { type CredentialProblem, PASSWORD_LENGTH, type Problems } from '#domain/account/validate-credentials.ts';
import type { Texts } from '#domain/texts/screen-texts.ts';

type FieldTexts<Field extends string> = Partial<Record<Field, string>>;

interface FormOptions<Field extends string> {
  /** The names of the inputs. */
  readonly fields: readonly Field[];
  /** Checks the values in the browser. Returns a message for each invalid field. */
  readonly check: (values: Readonly<Record<Field, string>>) => FieldTexts<Field> | Promise<FieldTexts<Field>>;
  /** Submits the form. Returns the message of a refusal, or one for a field, or null. May throw. */
  readonly send: (values: Readonly<Record<Field, string>>) => Promise<string | FieldTexts<Field> | null>;
  /** Receives the values at each edit and submission, to keep them beyond the form's life. */
  readonly onTyped?: ((values: Readonly<Record<Field, string>>) => void) | undefined;
}

export interface FormState<Field extends string> {
  /** Props of the form element. */
  readonly frame: {
    readonly formRef: RefObject<HTMLFormElement | null>;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
    readonly refusal: string | null;
  };
  /** Returns the current values; empty where the form is not mounted. */
  readonly values: () => Readonly<Record<Field, string>>;
  /** The message of each refused field. */
  readonly errors: FieldTexts<Field>;
  /** Call it when a field has changed, to remove its message. */
  readonly edited: (field: Field) => void;
  /** Refuses the form after it was sent, with a message for it or for a field. */
  readonly refuse: (refused: string | FieldTexts<Field>) => void;
  readonly busy: boolean;
}

/**
 * State of a form with uncontrolled inputs. Values filled in by a person or a password manager before hydration are
 * thus kept.
 *
 * @example
 * const { frame, errors, edited, busy } = useForm({
 *   fields: ['email'],
 *   check: ({ email }) => (email === '' ? { email: auth.emailMissing } : {}),
 *   send: async ({ email }) => explain((await client.auth.resetPasswordForEmail(email)).error),
 * });
 */
export function useForm<Field extends string>({ fields, check, send, onTyped }: FormOptions<Field>): FormState<Field> {
  const { authErrors } = useTexts();
  const { problems, setProblems, clearProblem, formRef } = useFieldProblems<Field, string>();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (refused: string | FieldTexts<Field>) => {
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

/** Returns the text for each invalid field. `leastLength` is that of the form's password. */
export function wordProblems<Field extends string>(
  problems: Problems<Field>,
  texts: Pick<Texts['validation'], CredentialProblem>,
  leastLength = PASSWORD_LENGTH,
): Partial<Record<Field, string>> {
  const worded: Partial<Record<Field, string>> = {};
  for (const field in problems) {
    const problem: CredentialProblem | undefined = problems[field];
    if (problem === undefined) continue;
    worded[field] = problem === 'passwordTooShort' ? texts.passwordTooShort(leastLength) : texts[problem];
  }
  return worded;
}
