import { Card } from '#app/ui/card.tsx';
import type { Returns } from './console-data.ts';
import { formatCount, formatSeconds } from './format-figures.ts';
import { useOperateTexts } from './use-operate-texts.ts';

/** What was tagged, written, and returned: counts alone. */
export function ReturnsPart({ returns }: { readonly returns: Returns }) {
  const { returns: texts } = useOperateTexts();
  const span = (seconds: number | null) => (seconds === null ? '–' : formatSeconds(seconds));
  const rows = [
    [texts.accounts, formatCount(returns.accounts), ''],
    [texts.tagged, ...returns.tagged.map(formatCount)],
    [texts.messages, ...returns.messages.map(formatCount)],
    [texts.returned, ...returns.returned.map(formatCount)],
    [texts.median, ...returns.median_seconds.map(span)],
  ];
  return (
    <Card>
      <table className="w-full text-start">
        <thead>
          <tr className="text-ink-soft text-sm">
            <td />
            <th scope="col" className="py-2 ps-3 text-end font-medium">
              {texts.all}
            </th>
            <th scope="col" className="py-2 ps-3 text-end font-medium">
              {texts.month}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(([name, all, month]) => (
            <tr key={name}>
              <th scope="row" className="py-3 text-start font-medium">
                {name}
              </th>
              <td className="py-3 ps-3 text-end tabular-nums">{all}</td>
              <td className="py-3 ps-3 text-end tabular-nums">{month}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
