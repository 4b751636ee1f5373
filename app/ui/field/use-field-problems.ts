import { type RefObject, useEffect, useRef, useState } from 'react';

interface FieldProblems<Field extends string, Problem> {
  readonly problems: Partial<Record<Field, Problem>>;
  /** The form's ref. Each time the form is refused, its first invalid field gets the focus. */
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** Replaces the problems; an empty object removes all. */
  readonly setProblems: (problems: Partial<Record<Field, Problem>>) => void;
  /** Removes the problem of a changed field. The focus stays. */
  readonly clearProblem: (field: Field) => void;
}

/** State of a form's invalid fields, each kept until the field is changed. */
export function useFieldProblems<Field extends string, Problem>(): FieldProblems<Field, Problem> {
  const formRef = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState<Partial<Record<Field, Problem>>>({});
  const [mended, setMended] = useState<ReadonlySet<Field>>(new Set());

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal moves the focus
  useEffect(() => {
    formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);

  const problems = { ...refused };
  for (const field of mended) delete problems[field];
  return {
    problems,
    formRef,
    setProblems: (found) => {
      setRefused(found);
      setMended(new Set());
    },
    clearProblem: (field) => setMended((others) => new Set(others).add(field)),
  };
}
