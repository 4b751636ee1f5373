import { OperatorError } from '#server/operator-error.ts';

/** A command that makes no sense as it was typed. */
export class UsageError extends OperatorError {
  constructor(message: string) {
    super(`${message}\nSee: npm run reunite -- --help`);
  }
}
