import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, expect, test } from 'vitest';
import { labelFormat } from '#domain/stickers/label-formats.ts';
import { cellBox } from '#domain/stickers/sheet-layout.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import { decodePart, drawPdf, pdftoppm } from '#tests/support/draw-pdf.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { runCommandLine } from '#tools/operator/run-command-line.ts';

const root = resolve(import.meta.dirname, '../..');
const dataDirectory = await preparedFolder();
const service = await startServiceProcess({ dataDirectory });
afterAll(() => service.end('SIGTERM'));
const folder = await temporaryFolder();

const { secretKey, publishableKey } = JSON.parse(await readFile(join(dataDirectory, 'secrets.json'), 'utf8'));
const options = { auth: { persistSession: false, autoRefreshToken: false } };
const operator = createClient(service.url, secretKey, options);

async function run(words: readonly string[], isTTY = false) {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommandLine(['stickers', ...words], {
    env: { DATA_DIRECTORY: dataDirectory, USER: 'olga' },
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { isTTY, write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}

const sheet = (name: string) => ['--format', 'avery-5160', '--out', join(folder, name)];
const create = (name: string, count: number, ...more: readonly string[]) =>
  run(['create', '--count', String(count), ...sheet(name), ...more]);

async function codesOf(label: string) {
  const { data } = await operator
    .from('sticker_batches')
    .select('recorded, qr_codes(qr_id, batch_place, issued_at)')
    .eq('label', label)
    .single();
  const codes = (data?.qr_codes ?? []).toSorted((one, other) => one.batch_place - other.batch_place);
  return { recorded: data?.recorded, codes };
}

test('blank stickers are issued with their batch and drawn; each can be read, and its typed code works', async () => {
  const file = join(folder, 'fair.pdf');
  const created = await create('fair.pdf', 31, '--label', 'Spring fair', '--note', 'At the gate', '--by', 'Olga');
  expect(created).toEqual({
    code: 0,
    stdout: `${file}: 31 stickers for ${service.url}. Batch: Spring fair. Pages: 2. Print them at 100%.\n`,
    stderr: '',
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file)).subarray(0, 5).toString()).toBe('%PDF-');

  const { recorded, codes } = await codesOf('Spring fair');
  expect(recorded).toBe(31);
  expect(codes.map(({ batch_place: place }) => place)).toEqual(Array.from({ length: 31 }, (_, place) => place));
  expect(codes.every(({ issued_at: issuedAt }) => issuedAt !== null)).toBe(true);
  const [first] = codes;
  const visitor = createClient(service.url, publishableKey, options);
  const found = await visitor.rpc('find_typed_code', { typed_code_param: typedCodeOf(first?.qr_id ?? '') });
  expect(found.data).toBe(first?.qr_id);

  if (pdftoppm !== undefined) {
    const format = labelFormat('avery-5160') ?? expect.unreachable();
    const [page] = await drawPdf(file, 150);
    const read = page === undefined ? null : await decodePart(page, cellBox(format, 0));
    expect(read).toBe(`${service.url}/${first?.qr_id}`);
  }

  expect(await create('fair.pdf', 31)).toMatchObject({ code: 1, stderr: `${file} already exists. Name a new file.\n` });
  const again = await create('other.pdf', 31, '--label', 'Spring fair');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is already a batch “Spring fair”/) });
});

test('a line in another script is printed, and one that cannot be is refused by name before anything is recorded', async () => {
  const refused = await create('refused.pdf', 2, '--line', 'Ключи 🙂 от дома');
  expect(refused).toMatchObject({ code: 1, stderr: 'The character “🙂” (U+1F642) cannot be printed.\n' });
  const several = await create('refused.pdf', 2, '--line', '𐎀🙂');
  expect(several.stderr).toBe('The characters “𐎀” (U+10380) and “🙂” (U+1F642) cannot be printed.\n');
  expect(await create('refused.pdf', 2, '--line', 'ж'.repeat(41))).toMatchObject({ code: 2 });
  const { count } = await operator
    .from('sticker_batches')
    .select('*', { count: 'exact', head: true })
    .eq('label', 'refused');
  expect(count).toBe(0);
  await expect(access(join(folder, 'refused.pdf'))).rejects.toThrow();

  expect(await create('keys.pdf', 2, '--line', 'Ключи от дома')).toMatchObject({ code: 0 });
  expect(await create('plain.pdf', 2)).toMatchObject({ code: 0 });
  const size = async (name: string) => (await stat(join(folder, name))).size;
  expect(await size('keys.pdf')).toBeGreaterThan(await size('plain.pdf'));
  expect(await run(['print', 'plain', ...sheet('again-with-line.pdf'), '--line', 'Ключи от дома'])).toMatchObject({
    code: 0,
  });
  expect(await size('again-with-line.pdf')).toBeGreaterThan(await size('plain.pdf'));
});

test('a logo is printed, and a file that is none is refused before anything is recorded', async () => {
  const text = join(folder, 'no-picture.svg');
  await writeFile(text, 'Not a picture.');
  const refused = await create('unprinted.pdf', 2, '--logo', text);
  expect(refused).toMatchObject({
    code: 1,
    stderr: `Could not read the picture in ${text}. A logo is a PNG, JPEG, or SVG file.\n`,
  });
  const { count } = await operator
    .from('sticker_batches')
    .select('*', { count: 'exact', head: true })
    .eq('label', 'unprinted');
  expect(count).toBe(0);

  const drawing = join(folder, 'logo.svg');
  await writeFile(
    drawing,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10" fill="#a3130c"/></svg>',
  );
  expect(await create('with-logo.pdf', 2, '--logo', drawing)).toMatchObject({ code: 0 });
  const pdf = await readFile(join(folder, 'with-logo.pdf'), 'latin1');
  expect(pdf).toMatch(/\/Subtype \/Image/);
});

test('a batch is listed, shown, exported, and printed again with the same codes', async () => {
  await create('shop.pdf', 3, '--label', '=Shop', '--note', 'Counter 2');
  const { codes } = await codesOf('=Shop');
  const [first, second] = codes.map(({ qr_id: code }) => code);
  const { data } = await operator.auth.admin.createUser({ email: 'olive@example.com', email_confirm: true });
  await operator.from('qr_codes').update({ owner_id: data.user?.id, claimed_at: 'now' }).eq('qr_id', second);

  const listed = await run(['list']);
  expect(listed.stdout).toMatch(/^LABEL +CODES +ISSUED +BY +STATE +NOTE\n=Shop +3 +20\S+ +olga +complete +Counter 2\n/);
  expect(JSON.parse((await run(['list', '--json', '--page', '99'])).stdout)).toMatchObject({ batches: [] });

  const shown = await run(['show', '=Shop']);
  expect(shown.stdout).toMatch(/Codes +3\nClaimed +1\n/);
  for (const code of [second, typedCodeOf(second ?? ''), `${service.url}/${second}`]) {
    const { stdout } = await run(['show', code ?? '']);
    expect(stdout).toContain(`CODE        ${second}\n`);
    expect(stdout).toMatch(new RegExp(`Batch +=Shop, sticker 2\n.*\nClaimed +20\\S+ by account ${data.user?.id}`));
  }

  const exported = await run(['export', '=Shop']);
  const lines = exported.stdout.split('\r\n');
  expect(lines[0]).toBe('batch,place,tag_code,typed_code,link,issued_at,state,void_reason');
  const link = `${service.url}/${first}`;
  const line = [`'=Shop,1,${first}`, typedCodeOf(first ?? ''), link, codes[0]?.issued_at, 'free,'];
  expect(lines[1]).toBe(line.join(','));
  expect(lines[2]).toMatch(/,claimed,$/);
  expect(await run(['export', '=Shop', '--out', join(folder, 'shop.csv')])).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'shop.csv'), 'utf8')).toBe(exported.stdout);

  const printed = await run(['print', '=Shop', ...sheet('again.pdf')]);
  expect(printed.stdout).toContain('again.pdf: 3 stickers for');
  expect(printed.stdout).toContain('Already claimed: 1.');
  // What is drawn, without the file's date and id.
  const drawn = async (name: string) =>
    (await readFile(join(folder, name), 'latin1')).match(/\nstream\n[\s\S]*?\nendstream\n/g);
  expect(await drawn('again.pdf')).toHaveLength(1);
  expect(await drawn('again.pdf')).toEqual(await drawn('shop.pdf'));

  expect(await run(['show', 'Nothing like it'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No batch or code/),
  });
  expect(await run(['print', 'None', ...sheet('none.pdf')])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No batch has the label “None”/),
  });
});

test('a batch and a code are voided and restored, and a void code is not printed', async () => {
  await create('void.pdf', 4, '--label', 'Lost box');
  const [first, second, third] = (await codesOf('Lost box')).codes.map(({ qr_id: code }) => code);
  const { data } = await operator.auth.admin.createUser({ email: 'ola@example.com', email_confirm: true });
  await operator.from('qr_codes').update({ owner_id: data.user?.id, claimed_at: 'now' }).eq('qr_id', second);

  expect(await run(['void', typedCodeOf(third ?? ''), '--reason', 'Misprint'])).toMatchObject({
    code: 0,
    stdout: `${third} is void.\n`,
  });
  const voided = await run(['void', 'Lost box', '--reason', 'Stolen']);
  expect(voided.stdout).toBe(
    'Batch Lost box is void. Codes that no longer work: 2.\nClaimed, and still working: 1. To void these too, add --claimed.\n',
  );
  expect((await run(['show', 'Lost box'])).stdout).toMatch(/State +void: Stolen\nCodes +4\nClaimed +1\nVoid +3\n/);
  expect((await run(['show', first ?? ''])).stdout).toMatch(/Void +20\S+: Stolen\n/);
  expect((await run(['export', 'Lost box'])).stdout).toMatch(/,void,Stolen\r\n.*,claimed,\r\n.*,void,Misprint\r\n/);
  expect((await run(['print', 'Lost box', ...sheet('rest.pdf')])).stdout).toContain('rest.pdf: 1 stickers');

  expect(await run(['void', second ?? '', '--reason', 'Stolen'])).toMatchObject({
    code: 1,
    stderr: `${second} belongs to an account. To void it anyway, add --claimed. Its owner sees why.\n`,
  });
  expect((await run(['void', 'Lost box', '--reason', 'Wrong address', '--claimed'])).stdout).toContain('work: 1.\n');
  expect((await run(['show', second ?? ''])).stdout).toMatch(/Void +20\S+: Wrong address\n/);
  expect((await run(['show', first ?? ''])).stdout).toMatch(/Void +20\S+: Stolen\n/);
  expect((await run(['show', 'Lost box'])).stdout).toMatch(/State +void: Wrong address\n/);
  expect(await run(['print', 'Lost box', ...sheet('nothing.pdf')])).toMatchObject({
    code: 1,
    stderr: 'Every code of “Lost box” is void.\n',
  });
  await expect(access(join(folder, 'nothing.pdf'))).rejects.toThrow('ENOENT');

  expect((await run(['restore', 'Lost box'])).stdout).toBe('Batch Lost box is restored. Codes that work again: 3.\n');
  expect((await run(['show', third ?? ''])).stdout).toContain(': Misprint\n');
  expect((await run(['restore', third ?? ''])).stdout).toBe(`${third} works again.\n`);
  expect(await run(['restore', third ?? ''])).toMatchObject({ code: 1, stderr: `${third} is not void.\n` });
});

/** A batch that a killed run has left, with all of its codes. */
async function leaveUnfinished(label: string, size: number) {
  const { data } = await operator
    .from('sticker_batches')
    .insert({ label, issued_by: 'olga', size })
    .select('id')
    .single();
  const codes = Array.from({ length: size }, () => generateTagCode((bytes) => crypto.getRandomValues(bytes)));
  await operator.rpc('issue_codes', { batch_id_param: data?.id, first_place: 0, codes }).throwOnError();
  return codes;
}

test('a void code of an unfinished batch is not printed when the batch is continued', async () => {
  const [first, second, third] = await leaveUnfinished('Torn', 3);
  await run(['void', second ?? '', '--reason', 'Torn off']);

  const file = join(folder, 'torn.pdf');
  expect(await create('torn.pdf', 3, '--label', 'Torn')).toEqual({
    code: 0,
    stdout:
      'Continuing “Torn”: 3 codes were recorded before.\n' +
      `${file}: 2 stickers for ${service.url}. Batch: Torn. Pages: 1. Print them at 100%.\n` +
      'Void, and not printed: 1.\n',
    stderr: '',
  });
  if (pdftoppm !== undefined) {
    const format = labelFormat('avery-5160') ?? expect.unreachable();
    const [page = expect.unreachable()] = await drawPdf(file, 150);
    const read = await Promise.all([0, 1, 2].map((cell) => decodePart(page, cellBox(format, cell))));
    expect(read).toEqual([`${service.url}/${first}`, `${service.url}/${third}`, null]);
  }

  const [only] = await leaveUnfinished('Gone', 1);
  await run(['void', only ?? '', '--reason', 'Torn off']);
  expect(await create('gone.pdf', 1, '--label', 'Gone')).toMatchObject({
    code: 1,
    stderr: 'Every code of “Gone” is void.\n',
  });
});

/** Creates a batch, and voids something when the command shows that it does this. */
async function createWhile(doing: string, name: string, voidIt: () => Promise<unknown>) {
  const printed = { stdout: '', stderr: '' };
  let voided: Promise<unknown> | undefined;
  const code = await runCommandLine(['stickers', 'create', '--count', '1500', ...sheet(name)], {
    env: { DATA_DIRECTORY: dataDirectory, USER: 'olga' },
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: {
      isTTY: true,
      write: (text) => {
        printed.stderr += text;
        if (text.includes(doing)) voided ??= voidIt();
      },
    },
  });
  await voided;
  const files = (await readdir(folder)).filter((file) => file.startsWith(name));
  const last = printed.stderr.split('\r\x1b[K').at(-1);
  return { code, last, files, hasVoided: voided !== undefined };
}

test.each(['Recording codes', 'Drawing stickers'])(
  'a batch that is voided during “%s” leaves no file, and is not complete',
  async (doing) => {
    const label = doing.slice(0, 4);
    const result = await createWhile(doing, `${label}.pdf`, () => run(['void', label, '--reason', 'Wrong address']));
    expect(result.hasVoided).toBe(true);
    expect(result.code).toBe(1);
    expect(result.files).toEqual([]);
    expect(result.last).toContain(
      `The batch “${label}” was voided in the meantime (Wrong address), so this file was not kept.\n`,
    );
    const { data } = await operator.from('sticker_batches').select('completed_at').eq('label', label).single();
    expect(data).toEqual({ completed_at: null });
    expect(await create(`${label}.pdf`, 1_500)).toMatchObject({
      code: 1,
      stderr: `The batch “${label}” is void. Give the new one a different --label.\n`,
    });
  },
);

test('a code that is voided after it was drawn leaves no file, and the same command prints the others', async () => {
  const result = await createWhile('Drawing stickers', 'late.pdf', async () => {
    const [first] = (await codesOf('late')).codes;
    await run(['void', first?.qr_id ?? '', '--reason', 'Torn off']);
  });
  expect(result).toMatchObject({ code: 1, files: [], hasVoided: true });
  expect(result.last).toBe(
    'Codes of “late” were voided or restored in the meantime, so this file was not kept. Run the command again.\n',
  );
  expect((await create('late.pdf', 1_500)).stdout).toContain('late.pdf: 1499 stickers');
});

test('progress is shown on a terminal, and the last of it is removed', async () => {
  const { stderr } = await run(['create', '--count', '30', ...sheet('shown.pdf')], true);
  expect(stderr).toContain('\r\x1b[KDrawing stickers: 15 of 30');
  expect(stderr.endsWith('\r\x1b[K')).toBe(true);
});

test('labels that are too small for the link are refused before anything is issued', async () => {
  const long = `http://${'a'.repeat(120)}.localhost:${new URL(service.url).port}`;
  const code = await runCommandLine(
    ['stickers', 'create', '--count', '3', '--format', 'zweckform-6021', '--out', join(folder, 'small.pdf')],
    {
      env: { PUBLIC_URL: long, SECRET_KEY: secretKey },
      stdout: { write: () => true },
      stderr: { write: () => true },
    },
  );
  expect(code).toBe(1);
  const { data } = await operator.from('sticker_batches').select().eq('label', 'small');
  expect(data).toEqual([]);
});

/** Runs the program until the batch has so many codes, and kills it. */
async function killAt(label: string, recorded: number, words: readonly string[]): Promise<void> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['tools/reunite.ts', 'stickers', ...words], {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIRECTORY: dataDirectory },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await expect
    .poll(
      async () => {
        const { data } = await operator.from('sticker_batches').select('recorded').eq('label', label).maybeSingle();
        return data?.recorded ?? 0;
      },
      { interval: 5 },
    )
    .toBeGreaterThanOrEqual(recorded);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

test('a batch that was killed leaves no file, and the same command continues it to exactly its size', async () => {
  const count = 1_500;
  const words = ['create', '--count', String(count), ...sheet('killed.pdf')];
  await killAt('killed', 500, words);
  const before = (await codesOf('killed')).recorded;
  expect(before).toBeGreaterThanOrEqual(500);
  await expect(access(join(folder, 'killed.pdf'))).rejects.toThrow('ENOENT');
  expect((await run(['list'])).stdout).toMatch(/killed +1500 .* unfinished: \d+ of 1500 recorded/);

  expect(await create('killed.pdf', 5_000)).toMatchObject({
    code: 1,
    stderr: 'The unfinished batch “killed” has 1500 codes. Continue it with that --count.\n',
  });
  // Once more in the middle of drawing.
  await killAt('killed', count, words);
  await expect(access(join(folder, 'killed.pdf'))).rejects.toThrow('ENOENT');

  const continued = await run(words);
  expect(continued.stdout).toContain('Continuing “killed”: 1500 codes were recorded before.\n');
  expect(continued.stdout).toContain(`killed.pdf: ${count} stickers`);
  const { count: codes } = await operator
    .from('qr_codes')
    .select('qr_id, sticker_batches!inner(label)', { count: 'exact', head: true })
    .eq('sticker_batches.label', 'killed');
  expect(codes).toBe(count);
  const pdf = await readFile(join(folder, 'killed.pdf'), 'latin1');
  expect(pdf.match(/\/Type \/Page\n/g)).toHaveLength(Math.ceil(count / 30));
  expect(pdf.trimEnd().endsWith('%%EOF')).toBe(true);
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(await run(words)).toMatchObject({ code: 1 });
});

test('of two runs for one label at once, one makes the batch and its file', async () => {
  const files = ['one.pdf', 'two.pdf'];
  const both = await Promise.all(files.map((name) => create(name, 600, '--label', 'Both')));
  expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  const refused = both.find(({ code }) => code === 1);
  expect(refused?.stderr).toMatch(
    /^(?:Another run made the batch “Both” in the meantime|There is already a batch “Both”)/,
  );
  const kept = (await readdir(folder)).filter((name) => files.some((file) => name.startsWith(file)));
  expect(kept).toEqual([files[both.findIndex(({ code }) => code === 0)]]);
  const { recorded } = await codesOf('Both');
  expect(recorded).toBe(600);
  const { count } = await operator
    .from('qr_codes')
    .select('qr_id, sticker_batches!inner(label)', { count: 'exact', head: true })
    .eq('sticker_batches.label', 'Both');
  expect(count).toBe(600);
});
