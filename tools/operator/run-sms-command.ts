import { listExcludedNumbers, readCountries } from './list-excluded-numbers.ts';
import { formatTable } from './print-table.ts';
import { type Call, readOptions, refuseWords } from './read-options.ts';
import { UsageError } from './usage-error.ts';
import { asJson } from './write-json.ts';

const OPTIONS = { excluded: { countries: 'string', json: 'boolean' } } as const;

export async function runSmsCommand(call: Call): Promise<void> {
  const { name, flags, texts, words } = readOptions(OPTIONS, call);
  const { stdout, env } = call;
  refuseWords(words, `sms ${name} takes no arguments.`);
  const list = texts.get('countries') ?? env.SMS_COUNTRIES ?? '';
  if (list === '') throw new UsageError('Name the countries: --countries IL,US, or SMS_COUNTRIES in the environment.');
  const countries = readCountries(list);
  const excluded = await listExcludedNumbers(await call.connect(), countries);
  if (flags.has('json')) return void stdout.write(asJson(excluded));
  const rows = excluded.map(({ account, country, use }) => [account, country ?? '–', use]);
  stdout.write(formatTable(['ACCOUNT', 'COUNTRY', 'USED AS'], rows));
  stdout.write(`\nNumbers: ${excluded.length}\n`);
}
