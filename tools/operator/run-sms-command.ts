import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from './connect-to-service.ts';
import { listExcludedNumbers, readCountries } from './list-excluded-numbers.ts';
import { formatTable } from './print-table.ts';
import type { SmsCommand } from './read-command-line.ts';
import type { Output } from './run-users-command.ts';
import { UsageError } from './usage-error.ts';
import { asJson } from './write-json.ts';

const openRanges = v.array(
  v.object({ number_range: v.string(), open_since: v.string(), trials: v.number(), came_back: v.number() }),
);

const BY_HAND = {
  hold: { rpc: 'open_sms_range', said: 'are already held back', changed: 'are held back from now on' },
  release: { rpc: 'close_sms_range', said: 'are not held back', changed: 'go out again' },
} as const;

/** Runs the command and prints its result. Throws an OperatorError if the service refuses. */
export async function runSmsCommand(
  connect: () => Promise<ServiceConnection>,
  command: SmsCommand,
  { stdout, environment }: Output & { readonly environment: Readonly<NodeJS.Dict<string>> },
): Promise<void> {
  if (command.name === 'ranges') {
    const ranges = await listOpenRanges(await connect());
    if (command.json) return void stdout.write(asJson(ranges));
    if (ranges.length === 0) return void stdout.write('SMS go to every number range.\n');
    const rows = ranges.map((range) => [
      `${range.number_range}…`,
      range.open_since,
      String(range.trials),
      String(range.came_back),
    ]);
    return void stdout.write(formatTable(['RANGE', 'HELD BACK SINCE', 'TRIALS', 'CAME BACK'], rows));
  }
  if ('range' in command) {
    const { said, changed } = BY_HAND[command.name];
    const hasChanged = await setRange(await connect(), command);
    if (!hasChanged) throw new OperatorError(`SMS to ${command.range}… ${said}.`);
    return void stdout.write(`SMS to ${command.range}… ${changed}.\n`);
  }
  const list = command.countries ?? environment.SMS_COUNTRIES ?? '';
  if (list === '') throw new UsageError('Name the countries: --countries IL,US, or SMS_COUNTRIES in the environment.');
  const countries = readCountries(list);
  const excluded = await listExcludedNumbers(await connect(), countries);
  if (command.json) return void stdout.write(asJson(excluded));
  const rows = excluded.map(({ account, country, use }) => [account, country ?? '–', use]);
  stdout.write(formatTable(['ACCOUNT', 'COUNTRY', 'USED AS'], rows));
  stdout.write(`\nNumbers: ${excluded.length}\n`);
}

async function listOpenRanges({ client, url }: ServiceConnection) {
  const { data, error } = await client.rpc('list_open_sms_ranges');
  if (error) throw new OperatorError(`${url} refused: ${error.message}`);
  return v.parse(openRanges, data);
}

/** Resolves with whether anything has changed. */
async function setRange(
  { client, url }: ServiceConnection,
  { name, range }: Extract<SmsCommand, { range: string }>,
): Promise<boolean> {
  const { data, error } = await client.rpc(BY_HAND[name].rpc, { range_param: range });
  if (error) throw new OperatorError(`${url} refused: ${error.message}`);
  return v.parse(v.boolean(), data);
}
