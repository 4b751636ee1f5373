import * as v from 'valibot';
import { formatTable } from './print-table.ts';
import { type Call, readOptions, refuseWords } from './read-options.ts';
import { dataOf } from './stickers/batches.ts';
import { asJson } from './write-json.ts';

const OPTIONS = { show: { json: 'boolean' }, deliveries: { json: 'boolean' }, returns: { json: 'boolean' } } as const;
const FUNCTIONS = { show: 'look_at_service', deliveries: 'look_at_deliveries', returns: 'look_at_returns' } as const;

const failures = v.array(
  v.object({
    task: v.string(),
    attempts: v.number(),
    is_retried: v.boolean(),
    failed_at: v.string(),
    reason: v.nullable(v.string()),
  }),
);
const facts = v.record(v.string(), v.unknown());

export async function runServiceCommand(call: Call): Promise<void> {
  const { name, flags, words } = readOptions(OPTIONS, call);
  const { stdout } = call;
  refuseWords(words, `service ${name} takes no arguments.`);
  const service = await call.connect();
  const data: unknown = dataOf(service, await service.client.rpc(FUNCTIONS[name]));
  if (flags.has('json')) return void stdout.write(asJson(data));
  if (name !== 'deliveries') {
    const rows = linesOf(v.parse(facts, data));
    return void stdout.write(formatTable(['WHAT', 'VALUE'], rows));
  }
  const listed = v.parse(failures, data);
  if (listed.length === 0) return void stdout.write('Nothing has failed.\n');
  const rows = listed.map(({ task, attempts, is_retried: isRetried, failed_at: at, reason }) => [
    task,
    String(attempts),
    isRetried ? 'yes' : 'no',
    at,
    reason ?? '–',
  ]);
  stdout.write(formatTable(['TASK', 'ATTEMPTS', 'TRIED AGAIN', 'FAILED', 'WHY'], rows));
}

/** A line for each value, named by the way to it, such as `disk.free`. */
function linesOf(values: Readonly<Record<string, unknown>>, before = ''): string[][] {
  return Object.entries(values).flatMap(([key, value]) => {
    const inner = v.safeParse(facts, value);
    if (inner.success && !Array.isArray(value)) return linesOf(inner.output, `${before}${key}.`);
    return [[before + key, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
}
