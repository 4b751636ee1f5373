import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { compileWords } from '#tools/words/compile-words.ts';
import { startService } from '../start-service.ts';
import { writePseudoMessages } from './pseudo-messages.ts';

const FOLDERS = ['app', 'database', 'domain', 'public', 'server', 'tools'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'react-router.config.ts'];

interface PseudoService {
  readonly service: ServiceProcess;
  /** Ends the service, and deletes the copy. */
  end(): Promise<void>;
}

/** Builds a copy of the project with the messages of the pseudo-language, and starts it. */
export async function startPseudoService(dataDirectory: string): Promise<PseudoService> {
  const own = resolve(import.meta.dirname, '../../../..');
  const root = await mkdtemp(join(tmpdir(), 'reunite-pseudo-'));
  for (const part of [...FOLDERS, ...FILES]) await cp(join(own, part), join(root, part), { recursive: true });
  await symlink(join(own, 'node_modules'), join(root, 'node_modules'));
  writePseudoMessages(root);
  compileWords(root);
  execFileSync(process.execPath, [join(own, 'node_modules/@react-router/dev/bin.cjs'), 'build'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'pipe',
  });
  const service = await startService(dataDirectory, root);
  return {
    service,
    async end() {
      await service.end('SIGTERM');
      await rm(root, { recursive: true, force: true });
    },
  };
}
