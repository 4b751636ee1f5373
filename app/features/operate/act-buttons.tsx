import { Button } from '#app/ui/button.tsx';
import { useOperateTexts } from './use-operate-texts.ts';

interface ActButtonsProps {
  /** What the form does. */
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly busy: boolean;
  readonly onClose: () => void;
}

/** The two ends of a form of the console: the act, or nothing. */
export function ActButtons({ act, isDangerous = false, busy, onClose }: ActButtonsProps) {
  const texts = useOperateTexts();
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} busy={busy} className="flex-1">
        {act}
      </Button>
      <Button variant="outline" disabled={busy} onClick={onClose} className="flex-1">
        {texts.cancel}
      </Button>
    </div>
  );
}
