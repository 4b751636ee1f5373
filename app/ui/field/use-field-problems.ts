import { type RefObject, useEffect, useRef, useState } from 'react';

interface FieldProblems<Field extends string, Problem> {
  readonly problems: Partial<Record<Field, Problem>>;
  /** The form's ref: the focus moves to its first refused field each time that it is refused. */
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** What is wrong now, in the place of what was; nothing when empty. */
  readonly setProblems: (problems: Partial<Record<Field, Problem>>) => void;
  /** The field has been changed: what was said of it no longer holds. The focus stays. */
  readonly clearProblem: (field: Field) => void;
}

/** What is wrong with the fields of a form, from its being sent until each is changed. */
export function useFieldProblems<Field extends string, Problem>(): FieldProblems<Field, Problem> {
  const formRef = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState<Partial<Record<Field, Problem>>>({});
  const [mended, setMended] = useState<ReadonlySet<Field>>(new Set());

  // biome-ignore lint/correctness/useExhaustiveDependencies: being refused anew is what moves the focus
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
