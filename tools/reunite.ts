import { runCommandLine } from './operator/run-command-line.ts';

// The operator's command line: `npm run reunite -- users list`.

// A reader such as `head` leaves when it has enough. What the command does is still done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCommandLine(process.argv.slice(2), process);
