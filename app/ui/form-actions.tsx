import { Button } from './button.tsx';

interface FormActionsProps {
  readonly busy: boolean;
  /** On the button that sends the form, and while it is at work. */
  readonly action: string;
  readonly acting: string;
  readonly cancel: string;
  readonly onCancel: () => void;
}

/** The end of a form that takes the place of what it changes: to save, or to leave it as it was. */
export function FormActions({ busy, action, acting, cancel, onCancel }: FormActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={busy} className="flex-1">
        {busy ? acting : action}
      </Button>
      <Button variant="outline" disabled={busy} onClick={onCancel} className="flex-1">
        {cancel}
      </Button>
    </div>
  );
}
