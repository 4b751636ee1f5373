import { execFile } from 'node:child_process';
import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMailServer } from '#tests/support/mail-server.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { CONFINED, IMAGE, OwnPodman } from './own-podman.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

// `PODMAN` is set where podman, podman-compose, runc, and debootstrap are on this machine (tools/launch/find-podman.mjs).
describe.skipIf(process.env.PODMAN === undefined)('the container image', () => {
  let own: OwnPodman;
  /** Why no image can be built or run on this machine. */
  let unable: string | undefined;
  const podman = (...words: string[]) => own.podman(...words);

  beforeAll(async () => {
    own = await OwnPodman.create();
    unable = await own.build();
    if (unable !== undefined) console.warn(`\nThe container image is NOT TESTED: ${unable}\n`);
    // A slow machine with all other tests beside it takes half an hour.
  }, 3_000_000);

  afterAll(() => own.remove());

  /** A folder with secrets that the account of the image can read. */
  async function makeSecrets(): Promise<string> {
    const folder = await temporaryFolder();
    await podman(
      ...['run', '--rm', '--user=0', ...CONFINED, `--volume=${folder}:/folder`, IMAGE],
      ...['tools/print-secrets.ts', '--into', '/folder/secrets'],
    );
    const secrets = join(folder, 'secrets');
    expect((await stat(join(secrets, 'secret_key'))).mode & 0o777).toBe(0o600);
    await run('chown', ['-R', '10001:10001', secrets]);
    return folder;
  }

  test('the image holds no tests, no tools of the build, and no package of the pages, and runs without root', async ({
    skip,
  }) => {
    if (unable !== undefined) skip(unable);
    const list = ['run', '--rm', ...CONFINED, '--entrypoint=/bin/sh', IMAGE, '-c'];
    const { stdout } = await podman(...list, 'id -u; ls; ls node_modules; find server domain -name "*.test.ts"');
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toBe('10001');
    for (const present of ['build', 'server', 'graphile-worker', 'pg']) expect(lines).toContain(present);
    for (const absent of ['tests', 'docs', 'app', 'vite', 'vitest', 'playwright', 'lucide-react']) {
      expect(lines).not.toContain(absent);
    }
    expect(lines.filter((line) => line.endsWith('.test.ts'))).toEqual([]);
  });

  test('it serves with secrets from files on a read-only system, stops in order, and goes on in two processes with the same volume', async ({
    skip,
  }) => {
    if (unable !== undefined) skip(unable);
    const mail = await startMailServer();
    whenDone(() => mail.close());
    const port = await ownPort();
    const secrets = join(await makeSecrets(), 'secrets');
    const settings = {
      PORT: String(port),
      // Nothing in the container reaches it.
      PUBLIC_URL: 'https://lost.example.org',
      EMBEDDED_POSTGRES: 'true',
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'test@example.com',
      ...Object.fromEntries(
        ['JWT_KEYS', 'REFRESH_TOKEN_SECRET', 'PUBLISHABLE_KEY', 'SECRET_KEY'].map((name) => [
          `${name}_FILE`,
          `/run/secrets/${name.toLowerCase()}`,
        ]),
      ),
    };
    const start = (more: Readonly<Record<string, string>> = {}) =>
      podman(
        ...[
          'run',
          '--detach',
          '--name=reunite',
          ...CONFINED,
          '--volume=reunite-data:/data',
          `--volume=${secrets}:/run/secrets:ro`,
        ],
        ...Object.entries({ ...settings, ...more }).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        IMAGE,
      );
    const isHealthy = () =>
      podman('healthcheck', 'run', 'reunite').then(
        () => true,
        () => false,
      );
    const users = async () => (await podman('exec', 'reunite', 'node', 'tools/reunite.ts', 'users', 'list')).stdout;
    const end = async () => {
      await podman('stop', '--time=40', 'reunite');
      const { stdout } = await podman('inspect', '--format={{.State.ExitCode}}', 'reunite');
      await podman('rm', 'reunite');
      return stdout.trim();
    };

    await start();
    await expect.poll(isHealthy, { timeout: 120_000, interval: 500 }).toBe(true);
    const key = (await readFile(join(secrets, 'publishable_key'), 'utf8')).trim();
    const { auth } = createClient(`http://localhost:${port}`, key, { auth: { persistSession: false } });
    const { error } = await auth.signUp({ email: 'olive@example.com', password: 'correct horse battery' });
    expect(error).toBeNull();
    expect(await users()).toContain('olive@example.com');
    const write = podman('exec', 'reunite', 'node', '-e', 'require("node:fs").writeFileSync("/reunite/file", "")');
    await expect(write).rejects.toThrow('EROFS');
    expect(await end()).toBe('0');

    await start({ WEB_PROCESSES: '2', LOG_LEVEL: 'info' });
    await expect.poll(isHealthy, { timeout: 120_000, interval: 500 }).toBe(true);
    expect(await users()).toContain('olive@example.com');
    const log = async () => (await podman('logs', 'reunite')).stdout;
    const serving = async () => (await log()).split('"A process serves."').length - 1;
    expect(await serving()).toBe(2);
    await podman('kill', '--signal=HUP', 'reunite');
    await expect.poll(log, { timeout: 120_000, interval: 500 }).toContain('"All processes were restarted."');
    expect(await serving()).toBe(4);
    expect(await isHealthy()).toBe(true);
    expect(await end()).toBe('0');
  });

  test('deploy/compose.yaml starts it, confined, with no settings: it is set up in the browser, and goes on with the volume', async ({
    skip,
  }) => {
    if (unable !== undefined) skip(unable);
    const network = await own.startNetwork();
    if (typeof network === 'string') {
      console.warn(`\ndeploy/compose.yaml is NOT TESTED: containers have no network here. ${network}\n`);
      skip(network);
      return;
    }
    const folder = await temporaryFolder();
    await cp(join(root, 'deploy/compose.yaml'), join(folder, 'compose.yaml'));
    await writeFile(
      join(folder, 'this-machine.yaml'),
      `
services:
  reunite:
    image: ${IMAGE}
    ulimits: { nofile: '4096:4096', nproc: '4096:4096' }
    logging: { driver: k8s-file }
`,
    );
    const files = ['-f', 'compose.yaml', '-f', 'this-machine.yaml'];
    const compose = (...words: string[]) =>
      run('podman-compose', [`--podman-path=${network.program}`, '--project-name=test', ...files, ...words], {
        cwd: folder,
      });
    const exec = async (...words: string[]) => (await network.podman('exec', 'test_reunite_1', ...words)).stdout;
    const command = (...words: string[]) => exec('node', 'tools/reunite.ts', ...words);
    // Through the port that the file publishes.
    const fetchIn = (path: string, options = '{}') =>
      network
        .run(process.execPath, [
          ...['--eval', `fetch('http://localhost:3000${path}', ${options}).then((r) => console.log(r.status))`],
        ])
        .then(
          ({ stdout }) => stdout.trim(),
          () => '',
        );
    const isReady = async () => (await fetchIn('/health/ready')) === '200';
    const setUpPath = async () =>
      /\/set-up\/[\w-]+/.exec((await network.podman('logs', 'test_reunite_1')).stdout)?.[0] ?? '';
    const start = async () => {
      const { stderr } = await compose('up', '--detach');
      await expect.poll(isReady, { timeout: 120_000, interval: 500, message: stderr }).toBe(true);
    };

    const { stderr } = await compose('up', '--detach');
    await expect.poll(setUpPath, { timeout: 120_000, interval: 500, message: stderr }).not.toBe('');
    // One that waits is well: a container that is replaced would have another address.
    await network.podman('healthcheck', 'run', 'test_reunite_1');
    expect(await isReady()).toBe(false);
    const form = 'address=https://lost.example.org&host=127.0.0.1&encryption=none&from=test@example.com&action=save';
    const options = JSON.stringify({
      ...{ method: 'POST', redirect: 'manual', body: form },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(await fetchIn(await setUpPath(), options)).toBe('303');
    await expect.poll(isReady, { timeout: 120_000, interval: 500 }).toBe(true);
    const batch = ['--count=3', '--label=shelf', '--format=avery-5160', '--out=/tmp/shelf.pdf'];
    await command('stickers', 'create', ...batch);
    expect(await command('stickers', 'list')).toContain('shelf');
    await expect(exec('touch', '/reunite/file')).rejects.toThrow('Read-only file system');
    const status = await exec('grep', '-E', '^(Uid|CapBnd|NoNewPrivs):', '/proc/1/status');
    // As the file configures it, whatever the format of the image.
    await network.podman('healthcheck', 'run', 'test_reunite_1');
    expect(status.replaceAll(/\s+/g, ' ')).toBe('Uid: 10001 10001 10001 10001 CapBnd: 0000000000000000 NoNewPrivs: 1 ');
    await compose('down', '--timeout', '40');
    expect(await isReady()).toBe(false);

    await start();
    expect(await command('stickers', 'list')).toContain('shelf');
    await compose('down', '--timeout', '40');
  });
});
