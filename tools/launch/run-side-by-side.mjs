import { spawn } from 'node:child_process';

/**
 * Runs stages at the same time: while one waits, another has the cores. The commands of one stage run one after the
 * other. What the first unfinished stage prints is shown at once, what the others print when it is their turn, so that
 * nothing is mixed. A stage that fails stops no other.
 *
 * Resolves with every command and how it ended: its exit code, or 1 where a signal ended it.
 */
export async function runSideBySide(stages, { cwd, env }) {
  const running = new Set();
  const endAll = (signal) => {
    for (const child of running) child.kill(signal);
  };
  process.once('SIGTERM', endAll);
  const screens = stages.map(() => createScreen());
  const ends = stages.map(async ({ heading, commands }, index) => {
    const screen = screens[index];
    screen.write(`\n── ${heading}\n`);
    const startedAt = Date.now();
    const done = [];
    for (const command of commands) done.push({ ...command, ended: await runCommand(command, screen) });
    for (const { ended, program } of done) if (ended !== 0) screen.write(`\nFailed: ${heading} (${program})\n`);
    screen.write(`   ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
    return done;
  });

  const done = [];
  for (const [index, end] of ends.entries()) {
    screens[index].show();
    done.push(...(await end));
  }
  process.off('SIGTERM', endAll);
  return done;

  function runCommand({ program, args, shell = false, env: more = {} }, screen) {
    return new Promise((resolve) => {
      const child = spawn(program, args, { cwd, env: { ...env, ...more }, shell, stdio: ['ignore', 'pipe', 'pipe'] });
      running.add(child);
      child.stdout.on('data', screen.write);
      child.stderr.on('data', screen.write);
      child.once('error', (error) => screen.write(`${error.message}\n`));
      child.once('close', (code) => {
        running.delete(child);
        resolve(code ?? 1);
      });
    });
  }
}

/** Keeps what is written until it is shown; from then on it goes out at once. */
function createScreen() {
  const kept = [];
  let isShown = false;
  return {
    write(chunk) {
      if (isShown) process.stdout.write(chunk);
      else kept.push(chunk);
    },
    show() {
      isShown = true;
      for (const chunk of kept.splice(0)) process.stdout.write(chunk);
    },
  };
}
