/** A start that cannot go on, in a sentence that tells the operator what is wrong and what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
