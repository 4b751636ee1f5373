import { OperatorError } from '#server/operator-error.ts';
import { connectToService } from './operator/connect-to-service.ts';
import { GENERAL_HELP, USERS_HELP } from './operator/help.ts';
import { readCommandLine } from './operator/read-command-line.ts';
import { runUsersCommand } from './operator/run-users-command.ts';
import { UsageError } from './operator/usage-error.ts';

// The operator's command line: `npm run reunite -- users list`. It exits with 0, with 1 where the service refused or
// did not answer, and with 2 where the command makes no sense.
try {
  const command = readCommandLine(process.argv.slice(2));
  if (command.name === 'help') process.stdout.write(command.topic === 'users' ? USERS_HELP : GENERAL_HELP);
  else await runUsersCommand(await connectToService(process.env), command, process);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
