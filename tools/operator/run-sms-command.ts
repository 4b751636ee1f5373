import type { ServiceConnection } from './connect-to-service.ts';
import { listExcludedNumbers, readCountries } from './list-excluded-numbers.ts';
import { formatTable } from './print-table.ts';
import type { SmsCommand } from './read-command-line.ts';
import type { Output } from './run-users-command.ts';
import { UsageError } from './usage-error.ts';
import { asJson } from './write-json.ts';

/** Runs the command and prints its result. Throws an OperatorError if the service refuses. */
export async function runSmsCommand(
  connect: () => Promise<ServiceConnection>,
  command: SmsCommand,
  { stdout, environment }: Output & { readonly environment: Readonly<NodeJS.Dict<string>> },
): Promise<void> {
  const list = command.countries ?? environment.SMS_COUNTRIES ?? '';
  if (list === '') throw new UsageError('Name the countries: --countries IL,US, or SMS_COUNTRIES in the environment.');
  const countries = readCountries(list);
  const excluded = await listExcludedNumbers(await connect(), countries);
  if (command.json) return void stdout.write(asJson(excluded));
  const rows = excluded.map(({ account, country, use }) => [account, country ?? '–', use]);
  stdout.write(formatTable(['ACCOUNT', 'COUNTRY', 'USED AS'], rows));
  stdout.write(`\nNumbers: ${excluded.length}\n`);
}
