/** An error that prevents the start. The message tells the operator what is wrong and what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
