import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLogOutput } from './log-output.ts';

const module = join(import.meta.dirname, 'log-output.ts');

/** A program whose standard output is the log. */
function run(script: string, stdout: 'pipe' | number = 'pipe') {
  const text = `import { openLogOutput } from ${JSON.stringify(module)}; const log = openLogOutput(); ${script}`;
  const program = spawn(process.execPath, ['--input-type=module-typescript', '-e', text], {
    stdio: ['ignore', stdout, 'inherit'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  return program;
}

test('lines arrive in order and complete, even more than the pipe holds', async () => {
  const path = join(tmpdir(), `reunite-log-${process.pid}`);
  const file = await open(path, 'w+');
  onTestFinished(() => rm(path));
  const log = openLogOutput({ descriptor: file.fd });
  const lines = Array.from({ length: 5_000 }, (_, number) => `${number} ${'x'.repeat(40)}\n`);
  for (const line of lines) log.write(line);
  await expect.poll(async () => (await file.stat()).size).toBe(lines.join('').length);
  expect((await file.read(Buffer.alloc(300_000), 0, 300_000, 0)).buffer.toString('utf8')).toContain(lines.join(''));
  await file.close();
});

test('buffered lines are written when the process exits', async () => {
  const program = run("log.write('the last words\\n'); process.exit(0);");
  const [chunk] = await once(program.stdout ?? program, 'data');
  expect(String(chunk)).toBe('the last words\n');
});

test('a closed pipe stops neither the program’s work nor its exit', async () => {
  const program = run(
    "setInterval(() => log.write('is anybody there?\\n'), 1); setTimeout(() => process.exit(3), 700);",
  );
  program.stdout?.destroy();
  expect(await once(program, 'exit')).toEqual([3, null]);
});

test.runIf(process.platform === 'linux')('a full disk stops neither', async () => {
  const full = await open('/dev/full', 'w');
  const program = run("log.write('no room\\n'); setTimeout(() => process.exit(3), 500);", full.fd);
  expect(await once(program, 'exit')).toEqual([3, null]);
  await full.close();
});

test.each([
  ['while they go on', 'setTimeout(() => undefined, 500);'],
  ['when they exit', 'process.exit();'],
])('the lines of several processes on one pipe are never mixed %s', async (_when, end) => {
  const line = (name: string) => `${name.repeat(300)}\\n`;
  const both = ['a', 'b'].map(
    (name) =>
      `import { openLogOutput } from ${JSON.stringify(module)};
       const log = openLogOutput({ isShared: true });
       for (let count = 0; count < 2000; count += 1) log.write('${line(name)}');
       ${end}`,
  );
  const script = both
    .map((text) => `node --input-type=module-typescript -e "${text.replaceAll('"', "'")}" &`)
    .join('\n');
  const shell = spawn('/bin/sh', ['-c', `${script}\nwait`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  });
  let printed = '';
  for await (const chunk of shell.stdout) printed += chunk;
  const lines = printed.trimEnd().split('\n');
  // What is on its way at an exit may be lost.
  expect(lines.length).toBeGreaterThan(3_900);
  expect(lines.filter((found) => !/^(a{300}|b{300})$/.test(found))).toEqual([]);
});
