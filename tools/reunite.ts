import { runCommandLine } from './operator/run-command-line.ts';

// The operator's command line: `npm run reunite -- users list`.
process.exitCode = await runCommandLine(process.argv.slice(2), process);
