import { readEnvironment } from '#server/config.ts';
import { OperatorError } from '#server/operator-error.ts';
import { connectToService } from './operator/connect-to-service.ts';
import { GENERAL_HELP, SMS_HELP, USERS_HELP } from './operator/help.ts';
import { isSmsCommand, readCommandLine } from './operator/read-command-line.ts';
import { runSmsCommand } from './operator/run-sms-command.ts';
import { runUsersCommand } from './operator/run-users-command.ts';
import { UsageError } from './operator/usage-error.ts';

const HELP = { everything: GENERAL_HELP, users: USERS_HELP, sms: SMS_HELP };

// The operator's command line: `npm run reunite -- users list`. Exit codes: 0 for success, 1 where the service refused
// or did not respond, 2 for an invalid command.
try {
  const command = readCommandLine(process.argv.slice(2));
  const connect = () => connectToService(readEnvironment(process.env));
  if (command.name === 'help') process.stdout.write(HELP[command.topic]);
  else if (isSmsCommand(command)) {
    await runSmsCommand(connect, command, { stdout: process.stdout, environment: process.env });
  } else await runUsersCommand(await connect(), command, process);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
