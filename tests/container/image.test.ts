import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMailServer } from '#tests/support/mail-server.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { whenDone } from '#tests/support/when-done.ts';

// Builds the image as an operator does, over a Debian that is made here from its packages, since no registry of images
// can be presumed. `PODMAN` is set where podman, runc, and debootstrap are on this machine (tools/launch/find-podman.mjs).

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const IMAGE = 'localhost/reunite-test';
const BASE = 'localhost/reunite-test-base';
const BUILDER = 'localhost/reunite-test-builder';

describe.skipIf(process.env.PODMAN === undefined)('the container image', () => {
  let store: string;
  /** Why no image can be built or run on this machine. */
  let unable: string | undefined;
  /** podman with images and containers of its own, in a folder that is removed at the end. */
  const podman = (...words: string[]) =>
    run(
      'podman',
      [`--root=${store}/images`, `--runroot=${store}/run`, '--runtime=runc', '--cgroup-manager=cgroupfs', ...words],
      {
        maxBuffer: 64 * 1024 * 1024,
      },
    );
  /** As `deploy/compose.yaml` runs it. The network and the limits are this machine's own. */
  const CONFINED = [
    ...['--network=host', '--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096', '--log-driver=k8s-file'],
    ...['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges'],
  ];

  beforeAll(async () => {
    // Not in memory, where programs may not run.
    store = await mkdtemp(join(tmpdir(), 'reunite-images-'));
    unable = await whyUnable();
    if (unable !== undefined) return console.warn(`\nThe container image is NOT TESTED: ${unable}\n`);
    await podman(
      ...['build', '--format=docker', '--isolation=chroot', `--tag=${IMAGE}`, '--file=deploy/Containerfile'],
      ...[`--build-arg=BASE=${BASE}`, `--build-arg=BUILDER=${BUILDER}`, ...(await npmSecret()), root],
    );
    // A slow machine with all other tests beside it takes half an hour.
  }, 3_000_000);

  afterAll(async () => {
    await podman('rm', '--all', '--force').catch(() => undefined);
    // It holds mounts, which only podman can remove.
    await podman('system', 'reset', '--force').catch(() => undefined);
    await rm(store, { recursive: true, force: true });
  });

  /** Tries what the machine must offer, apart from the product: Debian's packages, a container, and npm's registry in one. */
  async function whyUnable(): Promise<string | undefined> {
    try {
      await makeBases();
      await podman('run', '--rm', ...CONFINED, BASE, '/bin/true');
      const probe = join(store, 'probe');
      await mkdir(probe);
      const secret = '--mount=type=secret,id=npmrc,target=/root/.npmrc';
      await writeFile(join(probe, 'Containerfile'), `FROM ${BUILDER}\nRUN ${secret} npm view uqr version\n`);
      await podman('build', '--isolation=chroot', ...(await npmSecret()), probe);
      return undefined;
    } catch (error) {
      return String(error).slice(0, 1_000);
    }
  }

  async function npmSecret(): Promise<readonly string[]> {
    const npmrc = join(homedir(), '.npmrc');
    return (await isThere(npmrc)) ? [`--secret=id=npmrc,src=${npmrc}`] : [];
  }

  /** A bare Debian, and one with Node, npm, and the certificates that this machine trusts. */
  async function makeBases(): Promise<void> {
    const debian = join(store, 'debian');
    await run('debootstrap', ['--variant=minbase', 'bookworm', debian, 'http://deb.debian.org/debian']);
    await podman('import', '--quiet', await packed(debian), BASE);
    await mkdir(join(debian, 'usr/local/lib/node_modules'), { recursive: true });
    await cp(process.execPath, join(debian, 'usr/local/bin/node'));
    const { stdout: npm } = await run('sh', ['-c', 'realpath "$(command -v npm)"']);
    await cp(dirname(dirname(npm.trim())), join(debian, 'usr/local/lib/node_modules/npm'), { recursive: true });
    const starter = join(debian, 'usr/local/bin/npm');
    await writeFile(starter, '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n');
    await chmod(starter, 0o755);
    const certificates = process.env.NODE_EXTRA_CA_CERTS;
    const change = [];
    if (certificates !== undefined) {
      const inside = 'usr/local/share/certificates.pem';
      await mkdir(dirname(join(debian, inside)), { recursive: true });
      await writeFile(join(debian, inside), await readFile(certificates));
      change.push(`--change=ENV=NODE_EXTRA_CA_CERTS=/${inside}`);
    }
    await podman('import', '--quiet', ...change, await packed(debian), BUILDER);
  }

  async function packed(folder: string): Promise<string> {
    const file = `${folder}.tar`;
    await run('tar', ['--directory', folder, '--create', '--file', file, '.']);
    return file;
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

  test('it serves with secrets from files on a read-only system, stops in order, and goes on with the same volume', async ({
    skip,
  }) => {
    if (unable !== undefined) skip(unable);
    const mail = await startMailServer();
    whenDone(() => mail.close());
    const port = await ownPort();
    const folder = await temporaryFolder();
    const secrets = join(folder, 'secrets');
    await podman(
      ...['run', '--rm', '--user=0', ...CONFINED, `--volume=${folder}:/folder`, IMAGE],
      ...['tools/print-secrets.ts', '--into', '/folder/secrets'],
    );
    expect((await stat(join(secrets, 'secret_key'))).mode & 0o777).toBe(0o600);
    await run('chown', ['-R', '10001:10001', secrets]);
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
    const start = () =>
      podman(
        ...[
          'run',
          '--detach',
          '--name=reunite',
          ...CONFINED,
          '--volume=reunite-data:/data',
          `--volume=${secrets}:/run/secrets:ro`,
        ],
        ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        IMAGE,
      );
    const isHealthy = () =>
      podman('exec', 'reunite', 'node', 'tools/check-health.mjs').then(
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

    await start();
    await expect.poll(isHealthy, { timeout: 120_000, interval: 500 }).toBe(true);
    expect(await users()).toContain('olive@example.com');
    expect(await end()).toBe('0');
  });
});

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
