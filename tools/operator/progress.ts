/** Where progress is shown: on a terminal alone, so that it is in no file or pipe. */
export interface ProgressOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/**
 * Returns a function that shows how many of `total` are done, on one line that it writes over. The line is removed once
 * all are done.
 */
export function showProgress(out: ProgressOutput, doing: string, total: number): (done: number) => void {
  let shown = -1;
  return (done) => {
    const percent = Math.floor((100 * done) / total);
    if (out.isTTY !== true || percent === shown) return;
    shown = percent;
    // Return to the start of the line, and erase it (ECMA-48).
    out.write(done >= total ? '\r\x1b[K' : `\r\x1b[K${doing}: ${done} of ${total}`);
  };
}
