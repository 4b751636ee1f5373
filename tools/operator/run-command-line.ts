import { readEnvironment } from '#server/config.ts';
import { OperatorError } from '#server/operator-error.ts';
import { connectToService } from './connect-to-service.ts';
import { runDesksCommand } from './desks/run-desks-command.ts';
import {
  BACKUP_HELP,
  DESKS_HELP,
  GENERAL_HELP,
  OPERATORS_HELP,
  REPORTS_HELP,
  SERVICE_HELP,
  SMS_HELP,
  STICKERS_HELP,
  USERS_HELP,
} from './help.ts';
import { runOperatorsCommand } from './operators/run-operators-command.ts';
import type { ProgressOutput } from './progress.ts';
import { readCommandLine } from './read-command-line.ts';
import { runReportsCommand } from './reports/run-reports-command.ts';
import { runSmsCommand } from './run-sms-command.ts';
import { type Output, runUsersCommand } from './run-users-command.ts';
import { runServiceCommand } from './service/run-service-command.ts';
import { runStickersCommand } from './stickers/run-stickers-command.ts';
import { UsageError } from './usage-error.ts';

const HELP = {
  everything: GENERAL_HELP,
  users: USERS_HELP,
  operators: OPERATORS_HELP,
  desks: DESKS_HELP,
  service: SERVICE_HELP,
  sms: SMS_HELP,
  stickers: STICKERS_HELP,
  reports: REPORTS_HELP,
  backup: BACKUP_HELP,
};

/** What a command line takes from the process that it runs in. */
export interface Surroundings extends Output {
  readonly stderr: ProgressOutput;
  readonly env: Readonly<NodeJS.Dict<string>>;
}

/** Runs one command and resolves with its exit code: 0 for success, 1 where the service refused or did not respond, 2 for an invalid command. */
export async function runCommandLine(words: readonly string[], { stdout, stderr, env }: Surroundings): Promise<number> {
  try {
    const line = readCommandLine([...words]);
    const connect = () => connectToService(readEnvironment(env));
    switch (line.group) {
      case 'help':
        stdout.write(HELP[line.topic]);
        break;
      case 'users':
        await runUsersCommand(await connect(), line.command, { stdout });
        break;
      case 'operators':
        await runOperatorsCommand(await connect(), line.command, { stdout });
        break;
      case 'desks':
        await runDesksCommand(await connect(), line.command, { stdout });
        break;
      case 'service':
        await runServiceCommand(await connect(), line.command, { stdout });
        break;
      case 'sms':
        await runSmsCommand(connect, line.command, { stdout, environment: env });
        break;
      case 'reports':
        await runReportsCommand(await connect(), line.command, { stdout });
        break;
      case 'backup':
        // It needs most of the server, which the others do not.
        await (await import('./backup/run-backup-command.ts')).runBackupCommand(line.command, { stdout, stderr, env });
        break;
      case 'stickers':
        await runStickersCommand(connect, line.command, { stdout, stderr, env });
        break;
    }
    return 0;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    stderr.write(`${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
