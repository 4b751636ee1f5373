import type { ReactNode } from 'react';
import { Card } from '#app/ui/card.tsx';

interface ResultCardProps {
  readonly title: string;
  readonly text: string;
  /** The possible next steps. */
  readonly children: ReactNode;
}

/** The result of a followed link, and where to go next. */
export function ResultCard({ title, text, children }: ResultCardProps) {
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
