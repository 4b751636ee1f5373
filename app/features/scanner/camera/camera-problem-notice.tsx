import { CameraOff } from 'lucide-react';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import type { CameraProblem } from './camera.ts';

interface CameraProblemNoticeProps {
  /** `unreadable`: there is a picture, and nothing that could read it. */
  readonly problem: CameraProblem | 'unreadable';
  readonly onTryAgain: () => void;
}

/** In the place of the camera's picture: why there is none, and what to do about it. */
export function CameraProblemNotice({ problem, onTryAgain }: CameraProblemNoticeProps) {
  const { common, scanner } = useMessages();
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
    </div>
  );
}
