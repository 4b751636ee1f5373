import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelFormat } from '#domain/stickers/label-formats.ts';
import { generateTagCode, stickerLink } from '#domain/tag-code/tag-code.ts';
import { PROGRAM_OPTIONS } from '#tools/launch/runtime.mjs';
import { drawSheets } from '#tools/operator/stickers/draw-sheets.ts';
import { drawBareCodes } from './support/draw-bare-codes.ts';
import { judge } from './support/figures/judge.ts';
import { median, medianRatio } from './support/figures/median.ts';

/**
 * What a sheet of stickers costs beside its QR codes alone, drawn by the same library, and whether its memory grows with
 * their number. Each drawing is a process of its own, in turn. `docs/benchmarks.md` says how to read it.
 *
 *   node benchmarks/stickers.ts
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 5);
const COUNT = 5_000;
const MANY = 50_000;
const MOST_COST = 1.3;
const MOST_MEMORY = 1.2;
const URL = 'https://lost.example.org';

type Drawing = 'stickers' | 'codes';

interface Cost {
  /** User and system time of the process, in seconds. */
  readonly seconds: number;
  /** The most memory that it held, in MiB. */
  readonly mebibytes: number;
}

const [drawing, count] = process.argv.slice(2);
if (drawing === undefined) await compare();
else await drawOnce(drawing === 'stickers' ? 'stickers' : 'codes', Number(count));

async function compare(): Promise<void> {
  const stickers: Cost[] = [];
  const codes: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['stickers', 'codes'] as const) : (['codes', 'stickers'] as const);
    for (const each of order) (each === 'stickers' ? stickers : codes).push(costOf(each, COUNT));
  }
  const many = [costOf('stickers', MANY)];
  const seconds = (costs: readonly Cost[]) => costs.map((cost) => cost.seconds);
  const memory = (costs: readonly Cost[]) => median(costs.map(({ mebibytes }) => mebibytes));
  const ratio = medianRatio(seconds(stickers), seconds(codes));
  const growth = memory(many) / memory(stickers);
  console.log(`${COUNT} stickers: ${median(seconds(stickers)).toFixed(2)} s of processor time`);
  console.log(`${COUNT} codes without a layout: ${median(seconds(codes)).toFixed(2)} s`);
  console.log(`${MANY} stickers: ${median(seconds(many)).toFixed(2)} s`);
  console.log(`Peak memory: ${memory(stickers).toFixed(0)} MiB for ${COUNT}, ${memory(many).toFixed(0)} for ${MANY}`);
  judge(`stickers cost ${ratio.toFixed(2)} times their codes alone, at most ${MOST_COST}`, ratio <= MOST_COST);
  judge(`the memory grows ${growth.toFixed(2)} times, at most ${MOST_MEMORY}`, growth <= MOST_MEMORY);
}

function costOf(what: Drawing, codes: number): Cost {
  const args = [...PROGRAM_OPTIONS, import.meta.filename, what, String(codes)];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  // Printed by `drawOnce` below.
  return JSON.parse(printed) as Cost;
}

async function drawOnce(what: Drawing, codes: number): Promise<void> {
  const format = labelFormat('avery-5160');
  if (format === null) throw new Error('The format is gone.');
  const folder = await mkdtemp(join(tmpdir(), 'reunite-stickers-'));
  const before = process.cpuUsage();
  try {
    const out = createWriteStream(join(folder, 'stickers.pdf'));
    if (what === 'codes')
      await drawBareCodes(
        out,
        map(newCodes(codes), (code) => stickerLink(URL, code)),
      );
    else {
      // Stickers are not read again: that is what the decoder costs.
      const options = { format, stickerUrl: URL, firstCell: 0, offset: { x: 0, y: 0 }, readEach: Infinity };
      await drawSheets(out, newCodes(codes), options);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const { user, system } = process.cpuUsage(before);
  const cost: Cost = { seconds: (user + system) / 1e6, mebibytes: process.resourceUsage().maxRSS / 1024 };
  console.log(JSON.stringify(cost));
}

function* newCodes(count: number): Generator<string> {
  for (let made = 0; made < count; made += 1) yield generateTagCode((bytes) => crypto.getRandomValues(bytes));
}

function* map<From, To>(values: Iterable<From>, change: (value: From) => To): Generator<To> {
  for (const value of values) yield change(value);
}
