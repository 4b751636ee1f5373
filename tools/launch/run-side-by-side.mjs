import { spawn } from 'node:child_process';

/**
 * Runs stages in parallel, and the commands of each stage in sequence. The output of the first unfinished stage is
 * shown at once, that of the others when it is their turn, so that outputs are not mixed. A failing stage does not stop
 * the others. A stage that `needs` something begins when that has resolved with the exit code 0; with another code its
 * commands count as failed.
 *
 * Resolves with every command, its heading and its exit code, or 1 where a signal ended it.
 */
export async function runSideBySide(stages, { cwd, env }) {
  const running = new Set();
  const endAll = (signal) => {
    for (const child of running) child.kill(signal);
  };
  process.once('SIGTERM', endAll);
  const screens = stages.map(() => createScreen());
  const ends = stages.map(async ({ heading, commands, needs }, index) => {
    const screen = screens[index];
    screen.write(`\n── ${heading}\n`);
    const code = (await needs) ?? 0;
    const startedAt = Date.now();
    const done = [];
    for (const command of commands) {
      done.push({ ...command, heading, ended: code === 0 ? await runCommand(command, screen) : code });
    }
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

/** Buffers output until it is shown; from then on it passes through. */
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
