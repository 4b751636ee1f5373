import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { whenDone } from '#tests/support/when-done.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const BASE = 'localhost/reunite-test-base';
const BUILDER = 'localhost/reunite-test-builder';

/** The image that `OwnPodman.build` makes. */
export const IMAGE = 'localhost/reunite-test';
/** Limits and logs that every machine allows. */
const LIMITS = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096', '--log-driver=k8s-file'];
/** As `deploy/compose.yaml` runs it, on the network of this machine. */
export const CONFINED: readonly string[] = [
  ...['--network=host', ...LIMITS],
  ...['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges'],
];

type Output = Promise<{ readonly stdout: string; readonly stderr: string }>;

/** A network apart from the machine's. */
interface OwnNetwork {
  /** The program to call in place of `podman`. */
  readonly program: string;
  /** Runs a program in it. */
  run(program: string, words: readonly string[], environment?: Readonly<Record<string, string>>): Output;
  podman(...words: string[]): Output;
}

/**
 * podman with images, containers, and networks of its own, in a folder on the disk. In memory, programs may not run.
 *
 * @example
 * const own = await OwnPodman.create();
 * await own.build();
 * await own.podman('run', '--rm', ...CONFINED, IMAGE);
 * await own.remove();
 */
export class OwnPodman {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<OwnPodman> {
    const own = new OwnPodman(await mkdtemp(join(tmpdir(), 'reunite-images-')));
    const places = ['root', 'runroot', 'network-config-dir'].map((name) => `--${name}=${join(own.#folder, name)}`);
    await own.#writeProgram('podman', `podman ${places.join(' ')} --runtime=runc --cgroup-manager=cgroupfs`);
    return own;
  }

  podman(...words: string[]): Output {
    return run(join(this.#folder, 'podman'), words, { maxBuffer: 64 * 1024 * 1024 });
  }

  /**
   * Builds the image as an operator does, over a Debian that is made here from its packages, since no registry of images
   * can be presumed. Resolves with the reason where this machine lacks what the product is not to blame for: Debian's
   * packages, a container, or npm's registry in one.
   */
  async build(): Promise<string | undefined> {
    const unable = await this.#whyUnable();
    if (unable !== undefined) return unable;
    await this.podman(
      ...['build', '--format=docker', '--isolation=chroot', `--tag=${IMAGE}`, '--file=deploy/Containerfile'],
      ...[`--build-arg=BASE=${BASE}`, `--build-arg=BUILDER=${BUILDER}`, ...(await npmSecret()), root],
    );
    return undefined;
  }

  /**
   * Makes a network apart from the machine's, which ends with the test. podman joins containers by bridges, and at a new
   * bridge Chromium ends its requests, also those of other tests. Resolves with the reason where containers get no
   * network on this machine.
   */
  async startNetwork(): Promise<OwnNetwork | string> {
    const keeper = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    whenDone(() => void keeper.kill());
    await once(keeper.stdout, 'data');
    const prefix = ['nsenter', `--target=${keeper.pid}`, '--net'] as const;
    const program = await this.#writeProgram(
      'podman-in-network',
      `${prefix.join(' ')} ${join(this.#folder, 'podman')}`,
    );
    const [enter, ...where] = prefix;
    const network: OwnNetwork = {
      program,
      run: (other, words, environment = {}) =>
        run(enter, [...where, other, ...words], { env: { ...process.env, ...environment } }),
      podman: (...words) => run(program, words),
    };
    return network
      .podman('network', 'create', 'probe')
      .then(() => network.podman('run', '--rm', ...LIMITS, '--network=probe', BASE, '/bin/true'))
      .then(() => network, shortReason);
  }

  async remove(): Promise<void> {
    await this.podman('rm', '--all', '--force').catch(() => undefined);
    // It holds mounts, which only podman can remove.
    await this.podman('system', 'reset', '--force').catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #whyUnable(): Promise<string | undefined> {
    try {
      await this.#makeBases();
      await this.podman('run', '--rm', ...CONFINED, BASE, '/bin/true');
      const probe = join(this.#folder, 'probe');
      await mkdir(probe);
      const secret = '--mount=type=secret,id=npmrc,target=/root/.npmrc';
      await writeFile(join(probe, 'Containerfile'), `FROM ${BUILDER}\nRUN ${secret} npm view uqr version\n`);
      await this.podman('build', '--isolation=chroot', ...(await npmSecret()), probe);
      return undefined;
    } catch (error) {
      return shortReason(error);
    }
  }

  /** A bare Debian, and one with Node, npm, and the certificates that this machine trusts. */
  async #makeBases(): Promise<void> {
    const debian = join(this.#folder, 'debian');
    await run('debootstrap', ['--variant=minbase', 'bookworm', debian, 'http://deb.debian.org/debian']);
    await this.podman('import', '--quiet', await packed(debian), BASE);
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
    await this.podman('import', '--quiet', ...change, await packed(debian), BUILDER);
  }

  /** Writes a program that runs another one with its own words behind. */
  async #writeProgram(name: string, command: string): Promise<string> {
    const program = join(this.#folder, name);
    await writeFile(program, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
    return program;
  }
}

function shortReason(error: unknown): string {
  return String(error).slice(0, 1_000);
}

async function npmSecret(): Promise<readonly string[]> {
  const npmrc = join(homedir(), '.npmrc');
  const isThere = await stat(npmrc).then(
    () => true,
    () => false,
  );
  return isThere ? [`--secret=id=npmrc,src=${npmrc}`] : [];
}

async function packed(folder: string): Promise<string> {
  const file = `${folder}.tar`;
  await run('tar', ['--directory', folder, '--create', '--file', file, '.']);
  return file;
}
