import { CameraOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import type { CameraProblem } from './camera.ts';

interface CameraProblemNoticeProps {
  /** `unreadable`: there is a picture, but no working decoder. */
  readonly problem: CameraProblem | 'unreadable';
  readonly onTryAgain: () => void;
  /** More to do, below the button. */
  readonly children?: ReactNode;
}

/** Shown in place of the camera picture: why there is none, and what to do. */
export function CameraProblemNotice({ problem, onTryAgain, children }: CameraProblemNoticeProps) {
  const { common, scanner } = useTexts();
  const { title, text, hint } = scanner.problems[problem];
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 px-6 py-8 text-center">
      <span className="grid size-18 shrink-0 -rotate-6 place-content-center rounded-lg bg-tag text-on-tag">
        <CameraOff className="size-9" aria-hidden="true" />
      </span>
      <div role="alert" className="flex flex-col gap-1.5">
        <h3 className="font-bold text-xl">{title}</h3>
        <p>{text}</p>
        <p className="text-on-night-soft text-sm">{hint}</p>
      </div>
      <Button variant="tag" onClick={onTryAgain}>
        {common.tryAgain}
      </Button>
      {children}
    </div>
  );
}
