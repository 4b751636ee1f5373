import { OperatorError } from '#server/operator-error.ts';

/** An invalid command line. */
export class UsageError extends OperatorError {
  constructor(message: string) {
    super(`${message}\nSee: npm run reunite -- --help`);
  }
}
