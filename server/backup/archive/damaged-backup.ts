import { OperatorError } from '#server/operator-error.ts';

/** A backup that is not what was written. The reason continues "… is damaged: ". */
export class DamagedBackup extends OperatorError {
  readonly reason: string;

  constructor(reason: string) {
    super(`The backup is damaged: ${reason}.`);
    this.reason = reason;
  }
}
