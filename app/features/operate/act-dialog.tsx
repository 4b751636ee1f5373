import type { ReactNode } from 'react';
import { useForm } from '#app/form/use-form.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { ActButtons } from './act-buttons.tsx';
import { useOperateTexts } from './use-operate-texts.ts';

interface ActDialogProps {
  readonly title: string;
  /** What it leads to. */
  readonly text: ReactNode;
  readonly asksReason?: boolean;
  readonly isDangerous?: boolean;
  /** More fields, below the text. */
  readonly children?: ReactNode;
  /** Returns why it was refused, or null. May throw. */
  readonly onAct: (reason: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Asks before an act: says what it leads to, and asks for the reason where one is needed. */
export function ActDialog(props: ActDialogProps) {
  const { common } = useTexts();
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) props.onClose();
      }}
      title={props.title}
      closeLabel={common.close}
    >
      <ActForm {...props} />
    </Dialog>
  );
}

function ActForm({ title, text, asksReason = false, isDangerous = false, children, onAct, onClose }: ActDialogProps) {
  const texts = useOperateTexts();
  const { frame, errors, edited, busy } = useForm({
    fields: ['reason'],
    check: ({ reason }) => {
      const length = [...reason.trim()].length;
      return asksReason && (length < 5 || length > 200) ? { reason: texts.reasonMissing } : {};
    },
    send: async ({ reason }) => {
      const refused = await onAct(reason.trim()).catch(() => texts.failed);
      if (refused === null) onClose();
      return refused;
    },
  });
  return (
    <Form {...frame}>
      <div className="text-ink-soft">{text}</div>
      {children}
      {asksReason && (
        <TextField
          label={texts.reason}
          name="reason"
          autoComplete="off"
          enterKeyHint="done"
          maxLength={200}
          required
          onChange={() => edited('reason')}
          error={errors.reason}
        />
      )}
      <ActButtons act={title} isDangerous={isDangerous} busy={busy} onClose={onClose} />
    </Form>
  );
}
