import type { ReactNode, RefObject, SubmitEvent } from 'react';
import { classNames } from './class-names.ts';
import { Refusal } from './refusal.tsx';

interface FormProps {
  readonly formRef: RefObject<HTMLFormElement | null>;
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Why the whole of it was refused. */
  readonly refusal: string | null;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The frame of a form: sent by POST where there is no script, so that nothing typed stands in the address. */
export function Form({ formRef, onSubmit, refusal, className, children }: FormProps) {
  return (
    <form
      ref={formRef}
      method="post"
      noValidate
      onSubmit={onSubmit}
      className={classNames('flex flex-col gap-5', className)}
    >
      {refusal !== null && <Refusal text={refusal} />}
      {children}
    </form>
  );
}
