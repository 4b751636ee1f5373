import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { useForm } from '#app/form/use-form.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { isRefused } from '../operator-calls.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import { makeBatch } from './batch-codes.ts';

const MOST_CODES = 50_000;

/** Makes a batch, with progress. One that was interrupted goes on where it is made again. */
export function BatchForm() {
  const texts = useOperateTexts();
  const { stickers } = texts;
  const { revalidate } = useRevalidator();
  const [progress, setProgress] = useState<{ readonly done: number; readonly size: number } | null>(null);
  const { frame, errors, edited, busy } = useForm({
    fields: ['label', 'count'],
    check: ({ label, count }) => ({
      ...((label.trim() === '' || label.trim().length > 100) && { label: stickers.nameWrong }),
      ...(!(/^\d{1,5}$/.test(count.trim()) && Number(count) >= 1 && Number(count) <= MOST_CODES) && {
        count: stickers.countWrong,
      }),
    }),
    send: async ({ label, count }) => {
      const size = Number(count);
      try {
        await makeBatch(label.trim(), size, (done) => setProgress({ done, size }));
      } catch (error) {
        return isRefused(error, '23505') ? { label: stickers.nameWrong } : texts.failed;
      } finally {
        setProgress(null);
        await revalidate();
      }
      showToast('success', texts.done, { about: 'operate' });
      return null;
    },
  });
  return (
    <Form {...frame}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={stickers.name}
          name="label"
          autoComplete="off"
          enterKeyHint="next"
          maxLength={100}
          onChange={() => edited('label')}
          error={errors.label}
        />
        <TextField
          label={stickers.count}
          name="count"
          autoComplete="off"
          enterKeyHint="done"
          inputMode="numeric"
          onChange={() => edited('count')}
          error={errors.count}
        />
      </div>
      <Button type="submit" busy={busy} className="self-start">
        {progress === null ? stickers.make : stickers.progress(progress)}
      </Button>
    </Form>
  );
}
