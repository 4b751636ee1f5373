import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { runCommandLine } from '#tools/operator/run-command-line.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = await preparedFolder();
const service = await startServiceProcess({ dataDirectory: folder });
afterAll(() => service.end('SIGTERM'));

const { secretKey, publishableKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'));
const options = { auth: { persistSession: false, autoRefreshToken: false } };
const admin = createClient(service.url, secretKey, options).auth.admin;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** The program itself, as `npm run reunite -- …` starts it: for what its process adds. */
function runProgram(words: readonly string[], environment: Environment = { DATA_DIRECTORY: folder }) {
  return new Promise<Ran>((done) => {
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, HOME, NODE_COMPILE_CACHE, ...environment };
    const child = execFile(
      process.execPath,
      ['tools/reunite.ts', ...words],
      { cwd: root, env },
      (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** What the program does, in this process: a start would take longer than most commands. */
async function run(words: readonly string[], env: Environment = { DATA_DIRECTORY: folder }): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommandLine(words, {
    env,
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}

async function createAccount(email: string, name = 'Olive Owner') {
  const { data, error } = await admin.createUser({
    email,
    password: 'correct horse',
    email_confirm: true,
    user_metadata: { full_name: name },
  });
  if (error !== null) throw error;
  return data.user;
}

const signIn = (email: string) =>
  createClient(service.url, publishableKey, options).auth.signInWithPassword({ email, password: 'correct horse' });

test.each([
  [['users', 'list', '--json'], { code: 0, stdout: expect.stringMatching(/^\{\n {2}"users"/), stderr: '' }],
  [['users', 'show', 'nobody@example.com'], { code: 1, stdout: '', stderr: expect.stringMatching(/^No account has/) }],
  [['users', 'rename'], { code: 2, stdout: '', stderr: expect.stringMatching(/^There is no command/) }],
])('the program %j prints the result or one sentence, and ends by itself with its exit code', async (words, ran) => {
  expect(await runProgram(words)).toEqual(ran);
});

test('a reader that leaves before the end, such as head, is no failure', async () => {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['tools/reunite.ts', 'stickers', 'formats'], {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toBe('');
});

test('the development server is found by itself: a table of accounts, or JSON', async () => {
  const user = await createAccount('listed@example.com', 'Listed \u001b[31mOwner');
  const table = await run(['users', 'list', '--filter', 'LISTED']);
  expect(table).toMatchObject({ code: 0, stderr: '' });
  const [head = '', row = '', , foot] = table.stdout.split('\n');
  expect(head).toMatch(/^ID +EMAIL +PHONE +NAME +CREATED +LAST SIGN-IN +STATE$/);
  expect(row).toContain(`${user.id}  listed@example.com`);
  expect(row).toMatch(/active$/);
  expect(row.indexOf('listed@example.com')).toBe(head.indexOf('EMAIL'));
  expect(foot).toBe('Page 1 of 1; accounts: 1');
  expect(table.stdout, 'a name does not steer the terminal').not.toContain('\u001b');

  const json = await run(['users', 'list', '--filter', 'listed', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ total: 1, users: [{ id: user.id, email: 'listed@example.com' }] });
});

test('an account is shown by its id and by its address', async () => {
  const user = await createAccount('shown@example.com');
  for (const account of [user.id, 'Shown@Example.com']) {
    const { code, stdout } = await run(['users', 'show', account]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^ID +${user.id}\\nEMAIL +shown@example\\.com\\nPHONE +–\\nNAME +Olive Owner\\n`),
    );
  }
  expect(JSON.parse((await run(['users', 'show', user.id, '--json'])).stdout)).toMatchObject({ id: user.id });
});

test('a ban keeps an account out until it is lifted', async () => {
  const email = 'banned@example.com';
  await createAccount(email);
  const banned = await run(['users', 'ban', email, '--for', '24h']);
  expect(banned).toMatchObject({ code: 0, stdout: expect.stringMatching(/STATE +banned until /) });
  expect((await signIn(email)).error?.code).toBe('user_banned');
  expect((await run(['users', 'unban', email])).stdout).toMatch(/STATE +active/);
  expect((await signIn(email)).error).toBeNull();

  const forever = JSON.parse((await run(['users', 'ban', email, '--json'])).stdout);
  expect(Date.parse(forever.banned_until)).toBeGreaterThan(Date.now() + 50 * 365 * 86_400_000);
  expect((await run(['users', 'show', email])).stdout, 'no date: none was set').toMatch(/STATE +banned$/m);
});

test('an account is deleted only with --yes', async () => {
  const email = 'deleted@example.com';
  const user = await createAccount(email);
  expect(await run(['users', 'delete', email])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect((await admin.getUserById(user.id)).error).toBeNull();
  expect(await run(['users', 'delete', email, '--yes'])).toMatchObject({ code: 0, stdout: `Deleted ${user.id}.\n` });
  expect((await admin.getUserById(user.id)).error?.code).toBe('user_not_found');

  const soft = await createAccount('softly@example.com');
  expect((await run(['users', 'delete', soft.id, '--yes', '--soft'])).code).toBe(0);
  expect((await run(['users', 'show', soft.id])).stdout).toMatch(/STATE +deleted /);
});

test('an export contains the account’s data, in a file that only its writer can read', async () => {
  const email = 'exported@example.com';
  const user = await createAccount(email);
  const { data } = await signIn(email);
  const owner = createClient(service.url, publishableKey, {
    ...options,
    accessToken: async () => data.session?.access_token ?? null,
  });
  await owner
    .from('items')
    .insert({ qr_id: 'tgt-exported-exported', user_id: user.id, item_type: 'keys', item_name: 'Exported keys' });
  const photo = `${'p'.repeat(22)}.webp`;
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const put = await owner.storage.from('item-photos').upload(photo, picture, { contentType: 'image/jpeg' });
  expect(put.error).toBeNull();
  const [file, files] = [join(folder, 'export.json'), join(folder, 'files')];
  expect(await run(['users', 'export', email, '--out', file, '--files', files])).toMatchObject({
    code: 0,
    stdout: `Wrote ${file}.\nWrote ${files}, files: 1.\n`,
  });
  const [entry] = JSON.parse(await readFile(join(files, 'index.json'), 'utf8'));
  expect(entry).toMatchObject({ bucket_id: 'item-photos', name: photo });
  const written = join(files, entry.file);
  expect((await sharp(written).metadata()).format).toBe('webp');
  expect((await stat(written)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    account: { id: user.id, email },
    profile: { full_name: 'Olive Owner' },
    items: [{ item_name: 'Exported keys' }],
    codes: [{ qr_id: 'tgt-exported-exported' }],
    messages: [],
    sessions: [{ user_id: user.id }],
    files: [{ bucket_id: 'item-photos', name: photo }],
  });
  expect(text).not.toMatch(/argon2|encrypted_password|key_hash/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await run(['users', 'export', email, '--out', file])).code, 'a file that is there stays as it is').toBe(1);
  expect(JSON.parse((await run(['users', 'export', email])).stdout)).toHaveProperty('account.id', user.id);

  await rm(join(folder, 'storage', 'blobs'), { recursive: true });
  const { code, stderr } = await run(['users', 'export', email, '--files', join(folder, 'none')]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`\n  item-photos/${photo} (`)]);
});

test('any other service is named by both variables', async () => {
  const user = await createAccount('named@example.com');
  const named = { PUBLIC_URL: service.url, SECRET_KEY: secretKey, DATA_DIRECTORY: join(folder, 'nothing') };
  expect((await run(['users', 'show', user.id], named)).code).toBe(0);
  const wrong = { ...named, SECRET_KEY: `sb_secret_${'x'.repeat(32)}` };
  expect(await run(['users', 'show', user.id], wrong)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("doesn't accept this secret key"),
  });
  expect(await run(['users', 'list'], wrong)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("doesn't accept this secret key"),
  });
  expect(await run(['users', 'list'], { PUBLIC_URL: service.url })).toMatchObject({
    code: 1,
    stderr: 'SECRET_KEY is missing. To name a service, set both PUBLIC_URL and SECRET_KEY.\n',
  });
  const away = { ...named, PUBLIC_URL: 'http://localhost:9' };
  // As in a container, from which the public address may lead nowhere.
  const local = { ...away, SERVICE_IS_LOCAL: 'true', PORT: new URL(service.url).port };
  expect((await run(['users', 'show', user.id], local)).code).toBe(0);
  for (const words of [
    ['users', 'list'],
    ['users', 'show', user.id],
  ]) {
    expect(await run(words, away)).toMatchObject({ code: 1, stderr: 'No service responds at http://localhost:9.\n' });
  }
  expect(await run(['users', 'list'], { DATA_DIRECTORY: join(folder, 'nothing') })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No development server runs from this folder.'),
  });
});

test.each([
  [['users', 'show', 'nobody@example.com'], 1, 'No account has the address "nobody@example.com".'],
  [['users', 'show', '00000000-0000-4000-8000-000000000000'], 1, 'User not found'],
  [['items'], 2, 'There is no command "items".'],
  [['users', 'rename'], 2, 'There is no command "users rename".'],
  [['users', 'constructor'], 2, 'There is no command "users constructor".'],
  [['users', 'show'], 2, 'users show takes one account'],
  [['users', 'show', 'a', 'b'], 2, 'users show takes one account'],
  [['users', 'list', 'a'], 2, 'users list takes no account'],
  [['users', 'list', '--page', '0'], 2, '--page must be a whole number'],
  [['sms', 'hold'], 2, 'There is no command "sms hold"'],
  [['sms', 'excluded', 'IL'], 2, 'sms excluded takes no arguments'],
  [['users', 'list', '--colour'], 2, "Unknown option '--colour'"],
  [['users', 'ban', 'a@example.com', '--for', 'long'], 2, '--for must be a duration'],
])('%j ends with one sentence and no stack trace', async (words, code, sentence) => {
  const ran = await run(words);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(ran.stderr).toContain(sentence);
  expect(ran.stderr).not.toMatch(/^ {4}at /m);
});

test('the numbers that a list of countries excludes are reported by account and country, and never named', async () => {
  const create = async (phone: string) => {
    const { data, error } = await admin.createUser({ phone, phone_confirm: true });
    if (error !== null) throw error;
    return data.user.id;
  };
  const [israeli, british] = [await create('+972502345678'), await create('+447400123456')];
  const table = await run(['sms', 'excluded', '--countries', 'GB,US']);
  expect(table).toMatchObject({ code: 0, stderr: '' });
  expect(table.stdout).toMatch(new RegExp(`^ACCOUNT +COUNTRY +USED AS\\n${israeli} +IL +phone\\n\\nNumbers: 1\\n$`));
  const json = await run(['sms', 'excluded', '--json'], { DATA_DIRECTORY: folder, SMS_COUNTRIES: 'IL' });
  expect(JSON.parse(json.stdout)).toEqual([{ account: british, country: 'GB', use: 'phone' }]);
  expect(await run(['sms', 'excluded'])).toMatchObject({ code: 2, stdout: '' });
  expect(await run(['sms'])).toMatchObject({ code: 0, stdout: expect.stringContaining('sms excluded [--countries') });
  expect(await run(['sms', 'excluded', '--countries', 'Israel'])).toMatchObject({ code: 2, stdout: '' });
});

test.each([[[]], [['--help']], [['users']], [['users', 'ban', '--help']]])('help for %j', async (words) => {
  const { code, stdout } = await run(words);
  expect(code).toBe(0);
  expect(stdout).toContain('users ban <account>');
});

test('formats are listed by number, and a page for calibration is drawn without a service', async () => {
  const listed = await run(['stickers', 'formats', 'herma', '4606']);
  expect(listed.stdout).toMatch(/herma-4606 +38.1 × 21.2 mm +rectangle +65 +a4 /);
  const file = join(await temporaryFolder(), 'calibration.pdf');
  const drawn = await run(['stickers', 'calibrate', '--format', 'herma-4606', '--out', file]);
  expect(drawn.code).toBe(0);
  expect(drawn.stdout).toContain(file);
  expect(drawn.stdout).toContain('Lay it over a sheet of the labels');
  expect(drawn.stdout).toContain('+0.5 across and -1 down are\n--offset-x=5 --offset-y=-10');
  expect((await stat(file)).size).toBeGreaterThan(1_000);
  const roll = join(await temporaryFolder(), 'roll.pdf');
  const ofRoll = await run(['stickers', 'calibrate', '--format', 'brother-dk-1201', '--out', roll]);
  expect(ofRoll.stdout).toContain('Print it at 100% on one of the labels');
  const corrected = await run(['stickers', 'calibrate', '--format', 'herma-4606', '--out', 'x.pdf', '--offset-x=5']);
  expect(corrected.code).toBe(2);
});

test.each([
  [['stickers', 'burn'], 'There is no command "stickers burn".'],
  [['stickers', 'print', '--format', 'avery-5160', '--out', 'x.pdf'], 'stickers print takes one batch by its label'],
  [['stickers', 'void', 'Spring'], 'Add a --reason.'],
  [
    ['stickers', 'create', '--count', '3', '--format', 'avery-5160', '--out', 'x.pdf', '--label', 'tgt-spring'],
    '--label must not look like a code.',
  ],
  [['stickers', 'create', '--count', '3', '--format', '5160', '--out', 'x.pdf'], '“5160” is there as avery-5160.'],
  [['stickers', 'create', '--count', '3', '--format', 'avery', '--out', 'x.pdf'], '--format must be a format that'],
  [
    ['stickers', 'create', '--count', '0', '--format', 'avery-5160', '--out', 'x.pdf'],
    '--count must be a whole number',
  ],
  [['stickers', 'create', '--count', '3', '--format', 'avery-5160'], 'Name the PDF to write with --out.'],
  [
    ['stickers', 'create', '--count', '3', '--format', 'avery-5160', '--out', 'x.pdf', '--first-label', '31'],
    '--first-label must be a whole number from 1 to 30.',
  ],
  [
    ['stickers', 'create', '--count', '3', '--format', 'avery-5160', '--out', 'x.pdf', '--offset-x=1.5'],
    '--offset-x must be tenths of a millimeter',
  ],
])('an invalid command about stickers (%j) is refused with its reason', async (words, reason) => {
  const { code, stderr } = await run(words);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
});

test('reports are listed, shown, and closed', async () => {
  expect((await run(['reports', 'list'])).stdout).toBe('There are no open reports.\n');
  const operator = createClient(service.url, secretKey, options);
  const { id: owner } = await createAccount('reported@example.com');
  const code = 'tgt-a-page-that-is-reported';
  const item = { qr_id: code, user_id: owner, item_type: 'keys', item_name: 'Canary keys' };
  expect((await operator.from('items').insert(item)).error).toBeNull();
  const form = new URLSearchParams({ kind: 'abuse', body: 'It is rude\n\u001b[31mvery' });
  const sent = await fetch(`${service.url}/item/${code}/report`, { method: 'POST', body: form, redirect: 'manual' });
  expect(sent.status).toBe(303);

  const { reports, total } = JSON.parse((await run(['reports', 'list', '--json'])).stdout);
  expect(total).toBe(1);
  const [listed] = reports;
  expect(listed).toMatchObject({ kind: 'abuse', qr_id: code, owner_id: owner, closed_at: null });
  expect((await run(['reports', 'list'])).stdout).toMatch(
    new RegExp(`${listed.id}  page   abuse  ${code}  1 .*open\n\nPage 1 of 1; reports: 1\n$`),
  );
  expect((await run(['reports', 'list', '--page', '2'])).stdout).toContain('Page 2 of 1; reports: 1\n');
  const shown = await run(['reports', 'show', listed.id]);
  expect(shown.stdout).toContain(`ABOUT     a page\nPAGE      ${service.url}/item/${code}\nACCOUNT   ${owner}\n`);
  expect(shown.stdout).toContain('\n> It is rude\n> [31mvery\n');
  expect(shown.stdout).not.toContain('Canary');

  const page = async () => (await fetch(`${service.url}/item/${code}`)).status;
  expect(await run(['reports', 'take-down', listed.id])).toMatchObject({ code: 2 });
  expect(await run(['reports', 'put-back', listed.id])).toMatchObject({ code: 1 });
  expect(await page()).toBe(200);
  const takeDown = ['reports', 'take-down', listed.id, '--reason', 'It asks for passwords'];
  expect(await run(takeDown)).toMatchObject({ code: 0, stdout: expect.stringContaining('The page is down.') });
  await expect.poll(page).toBe(404);
  expect((await run(['reports', 'show', listed.id])).stdout).toMatch(/^TAKEN DOWN +\d{4}-/m);
  expect(await run(takeDown)).toMatchObject({ code: 1, stderr: expect.stringContaining('already void') });
  expect(await run(['reports', 'put-back', listed.id])).toMatchObject({ code: 0, stdout: 'The page is back.\n' });
  await expect.poll(page).toBe(200);

  expect(await run(['reports', 'close', listed.id])).toMatchObject({ code: 0, stdout: `Closed ${listed.id}.\n` });
  expect(await run(['reports', 'close', listed.id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No open'),
  });
  expect((await run(['reports', 'list'])).stdout).toBe('There are no open reports.\n');
  expect((await run(['reports', 'list', '--all'])).stdout).toMatch(/closed$/m);
  expect(await run(['reports', 'show', 'everything'])).toMatchObject({ code: 2 });

  // A report of a finder names the owner as the one who reports.
  const reporting = createClient(service.url, publishableKey, options);
  await reporting.auth.signInWithPassword({ email: 'reported@example.com', password: 'correct horse' });
  const message = { qr_id_param: code, body_param: 'Canary message', finder_key_param: `key-${crypto.randomUUID()}` };
  await createClient(service.url, publishableKey, options).rpc('send_message', message).throwOnError();
  const { data: conversation } = await reporting.from('conversations').select('id').single().throwOnError();
  const about = { conversation_id_param: conversation.id, kind_param: 'fraud', body_param: 'They want money' };
  await reporting.rpc('report_finder', about).throwOnError();
  const [ofFinder] = JSON.parse((await run(['reports', 'list', '--json'])).stdout).reports;
  expect((await run(['reports', 'list'])).stdout).toContain(`${ofFinder.id}  finder  fraud  ${code}  1 `);
  const shownOfFinder = (await run(['reports', 'show', ofFinder.id])).stdout;
  expect(shownOfFinder).toMatch(/ABOUT +a finder\n/);
  expect(shownOfFinder).toMatch(new RegExp(`CONVERSATION +${conversation.id}\n`));
  expect(shownOfFinder).toMatch(new RegExp(`REPORTED BY +${owner}\n`));
  expect(shownOfFinder).toContain('\n> They want money\n');
  expect(shownOfFinder).not.toMatch(/ACCOUNT|Canary/);
});
