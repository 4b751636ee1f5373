// `npm start` and `npm run dev`: sets up what is missing, then runs the server on the pinned runtime. Plain JavaScript,
// because it runs on any Node from 20.19 before anything is installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { environment, root, runtime, serverOptions } from './launch/runtime.mjs';
import { setUp } from './launch/set-up.mjs';

const development = process.argv.includes('--dev');
setUp({ pages: !development });

const server = development
  ? // The watcher starts the server again when one of its files changes; Vite does the same for the page.
    spawn(
      runtime,
      [
        '--watch-path=server',
        '--watch-path=domain',
        '--watch-path=database',
        '--watch-preserve-output',
        'server/main.ts',
        '--dev',
      ],
      {
        cwd: root,
        env: environment(),
        stdio: 'inherit',
      },
    )
  : // The channel closes when this launcher ends, however it ends; the server then stops in order.
    spawn(runtime, [...serverOptions(), 'build/program/main.js'], {
      cwd: root,
      env: environment(),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });

let passedOn = false;
const passOn = (signal) => {
  // In a terminal the server has already received the signal; it ignores a repeated one.
  if (!passedOn) server.kill(signal);
  passedOn = true;
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => passOn(signal));
// A terminal was closed; without one, a service manager asks several processes to restart.
process.on('SIGHUP', () => (process.stdin.isTTY ? passOn('SIGTERM') : server.kill('SIGHUP')));
// A signal to npm ends npm and its shell but is not forwarded here. So the server is stopped when the shell is gone.
if (process.env.npm_lifecycle_event !== undefined) {
  const shell = process.ppid;
  setInterval(() => process.ppid !== shell && passOn('SIGTERM'), 500).unref();
}
server.on('error', (error) => {
  process.stderr.write(`The server could not be started: ${error.message}\n`);
  process.exit(1);
});
// Like a shell: 128 plus the number of the signal.
server.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
