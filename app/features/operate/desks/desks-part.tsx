import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import type { ConsoleDesk } from '../console-data.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import { DeskForm } from './desk-form.tsx';
import { DeskLine } from './desk-line.tsx';

/** The hand-in desks on finders' pages: adds, changes, closes for a day, and removes them. */
export function DesksPart({ desks }: { readonly desks: readonly ConsoleDesk[] }) {
  const { desks: texts } = useOperateTexts();
  const [adding, setAdding] = useState(false);
  return (
    <div className="flex flex-col gap-5">
      <Card>
        {adding ? (
          <DeskForm desk={null} onClose={() => setAdding(false)} />
        ) : (
          <Button onClick={() => setAdding(true)}>{texts.add}</Button>
        )}
      </Card>
      <Card>
        {desks.length === 0 && <p>{texts.none}</p>}
        <ul className="flex flex-col divide-y divide-line">
          {desks.map((desk) => (
            <DeskLine key={desk.id} desk={desk} />
          ))}
        </ul>
      </Card>
    </div>
  );
}
