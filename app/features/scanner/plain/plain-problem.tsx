import { CameraOff } from 'lucide-react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';

/** Why there is no camera picture, and what to do. */
export function PlainProblem() {
  const { common, scanner } = useTexts();
  const { development } = usePublicConfig();
  return (
    <div data-view="problem" className="flex flex-1 flex-col items-center justify-center gap-4 px-6 py-8 text-center">
      <span className="grid size-18 shrink-0 -rotate-6 place-content-center rounded-lg bg-tag text-on-tag">
        <CameraOff className="size-9" aria-hidden="true" />
      </span>
      {Object.entries(scanner.problems).map(([problem, { title, text, hint }]) => (
        <div key={problem} role="alert" data-problem={problem} hidden className="flex flex-col gap-1.5">
          <h3 className="font-bold text-xl">{title}</h3>
          <p>{text}</p>
          <p className="text-on-night-soft text-sm">{hint}</p>
        </div>
      ))}
      <Button variant="tag" data-part="again">
        {common.tryAgain}
      </Button>
      {development && (
        <div data-problem="missing" hidden className="flex flex-col gap-1.5">
          <Button variant="outline" data-part="simulate" data-busy={scanner.scanning}>
            {scanner.simulate}
          </Button>
          <p className="text-center text-on-night-soft text-xs">{scanner.simulateHint}</p>
        </div>
      )}
    </div>
  );
}
