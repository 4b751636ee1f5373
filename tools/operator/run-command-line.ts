import { readEnvironment } from '#server/config.ts';
import { OperatorError } from '#server/operator-error.ts';
import { connectToService } from './connect-to-service.ts';
import { runDesksCommand } from './desks/run-desks-command.ts';
import * as help from './help.ts';
import { type Call, isKey, type Surroundings } from './read-options.ts';
import { runReportsCommand } from './reports/run-reports-command.ts';
import { runOperatorsCommand } from './run-operators-command.ts';
import { runServiceCommand } from './run-service-command.ts';
import { runSmsCommand } from './run-sms-command.ts';
import { runUsersCommand } from './run-users-command.ts';
import { runStickersCommand } from './stickers/run-stickers-command.ts';
import { UsageError } from './usage-error.ts';

/** Each runs a command of its group and prints the result. It throws an OperatorError where that is refused. */
const GROUPS = {
  users: { help: help.USERS_HELP, run: runUsersCommand },
  operators: { help: help.OPERATORS_HELP, run: runOperatorsCommand },
  service: { help: help.SERVICE_HELP, run: runServiceCommand },
  desks: { help: help.DESKS_HELP, run: runDesksCommand },
  sms: { help: help.SMS_HELP, run: runSmsCommand },
  stickers: { help: help.STICKERS_HELP, run: runStickersCommand },
  reports: { help: help.REPORTS_HELP, run: runReportsCommand },
  backup: {
    help: help.BACKUP_HELP,
    // It needs most of the server, which the others do not.
    run: async (call: Call) => (await import('./backup/run-backup-command.ts')).runBackupCommand(call),
  },
};

/** Runs one command and resolves with its exit code: 0 for success, 1 where the service refused or did not respond, 2 for an invalid command. */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const [group = 'help', name, ...rest] = words;
  const isHelp = words.includes('--help') || words.includes('-h');
  try {
    if (['help', '--help', '-h'].includes(group)) stdout.write(help.GENERAL_HELP);
    else if (!isKey(GROUPS, group)) throw new UsageError(`There is no command ${JSON.stringify(group)}.`);
    else if (name === undefined || isHelp) stdout.write(GROUPS[group].help);
    else {
      const connect = () => connectToService(readEnvironment(env));
      // `process` has its streams as getters.
      await GROUPS[group].run({ stdout, stderr, env, group, name, rest, connect });
    }
    return 0;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    stderr.write(`${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
