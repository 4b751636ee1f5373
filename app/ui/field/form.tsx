import { type ReactNode, type RefObject, type SubmitEvent, useEffect } from 'react';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Refusal } from '#app/ui/notice/alert.tsx';

interface FormProps {
  readonly formRef: RefObject<HTMLFormElement | null>;
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Why the form was refused. */
  readonly refusal: string | null;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A form. Without scripts it is sent by POST, so that typed values never appear in the URL. What was sent before the app
 * was there is sent now (`app/browser/hold-forms.ts`).
 */
export function Form({ formRef, onSubmit, refusal, className, children }: FormProps) {
  useEffect(() => {
    const { heldForm } = window;
    if (heldForm === undefined || heldForm !== formRef.current) return;
    window.heldForm = undefined;
    heldForm.requestSubmit();
  }, [formRef]);
  return (
    <form
      ref={formRef}
      method="post"
      data-held=""
      noValidate
      onSubmit={onSubmit}
      className={classNames('flex flex-col gap-5', className)}
    >
      {refusal !== null && <Refusal text={refusal} />}
      {children}
    </form>
  );
}

interface FormActionsProps {
  readonly busy: boolean;
  /** Whether it can be canceled even while the action is in progress. */
  readonly canStop?: boolean;
  /** The button's label, and its label while the action is in progress. */
  readonly action: string;
  readonly acting: string;
  readonly cancel: string;
  readonly onCancel: () => void;
}

/** The buttons of a form that edits in place: save or cancel. */
export function FormActions({ busy, canStop = false, action, acting, cancel, onCancel }: FormActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={busy} className="flex-1">
        {busy ? acting : action}
      </Button>
      <Button variant="outline" disabled={busy && !canStop} onClick={onCancel} className="flex-1">
        {cancel}
      </Button>
    </div>
  );
}
