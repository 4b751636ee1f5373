import type { ReactNode } from 'react';
import { Card } from '#app/ui/card.tsx';

interface ToldProps {
  readonly title: string;
  readonly text: string;
  /** What can be done about it. */
  readonly children: ReactNode;
}

/** What became of a link that somebody followed, and where to go from there. */
export function Told({ title, text, children }: ToldProps) {
  return (
    <Card className="flex flex-col gap-5">
      <h1 className="font-bold text-2xl">{title}</h1>
      <p role="status" className="text-ink-soft">
        {text}
      </p>
      {children}
    </Card>
  );
}
