import { classNames } from '#app/ui/class-names.ts';

/** A code that a phone can read: it says "Lost things find a way". */
const MODULES = [
  '#######...###.##..#######',
  '#.....#.#..###.#..#.....#',
  '#.###.#..##.#...#.#.###.#',
  '#.###.#..#.##..#..#.###.#',
  '#.###.#.###...###.#.###.#',
  '#.....#..#.###.#..#.....#',
  '#######.#.#.#.#.#.#######',
  '.........##.##.##........',
  '#.#.#.#...#..#..#...#..#.',
  '#...##.#..#####.###..#..#',
  '###.####..#..#..###..#.##',
  '##.##..###.####.#.#.#...#',
  '.#..###.##.#.#.####..#.#.',
  '.###.#.....#.#..#.#....##',
  '#.#.#######...#...###.###',
  '.###...#..##.###..####.#.',
  '#...###...#.##.######..#.',
  '........#####.###...##.#.',
  '#######....##.###.#.#.###',
  '#.....#..##.###.#...#..##',
  '#.###.#.####..#.######.##',
  '#.###.#..###...###.##....',
  '#.###.#.##...#.##..##.#.#',
  '#.....#..###...###.#...#.',
  '#######.##..#..##.#....##',
];

const PATH = MODULES.flatMap((row, y) =>
  Array.from(row.matchAll(/#+/g), ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
).join('');

/** A sticker as it is on a thing: the code on white, in a yellow tag with the call to scan it. */
export function StickerPicture({ text, className }: { readonly text: string; readonly className?: string }) {
  return (
    <div
      className={classNames(
        'flex w-36 flex-col items-center gap-2 rounded-xl bg-tag p-2.5 pb-3 text-on-tag shadow-floating sm:w-48 sm:gap-2.5 sm:p-3',
        className,
      )}
    >
      <span className="size-3.5 rounded-full bg-night sm:size-4 shadow-[inset_0_1px_2px_rgb(0_0_0/40%)]" />
      <svg viewBox="-2 -2 29 29" className="w-full rounded-md bg-[#fff]" shapeRendering="crispEdges" aria-hidden="true">
        <path d={PATH} className="fill-[#10231e]" />
      </svg>
      <span className="whitespace-nowrap font-bold text-xs leading-tight sm:text-sm">{text}</span>
    </div>
  );
}
