// `npm start` and `npm run dev`: sets up what is missing, then runs the server on the pinned runtime.
// Plain JavaScript, because it runs on whatever Node is there (20.19 or newer) before anything is installed.
import { spawn } from 'node:child_process';
import { build, checkLauncherVersion, environment, install, root, runtime } from './launch/set-up.mjs';

checkLauncherVersion();
install();
const development = process.argv.includes('--dev');
if (!development) build();

const server = development
  ? // The watcher starts the server again when one of its files changes; Vite does the same for the page.
    spawn(runtime, ['--watch', '--watch-preserve-output', 'server/main.ts', '--dev'], {
      cwd: root,
      env: environment(),
      stdio: 'inherit',
    })
  : // The channel closes when this launcher ends, however it ends; the server then stops in order.
    spawn(runtime, ['server/main.ts'], {
      cwd: root,
      env: environment(),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
