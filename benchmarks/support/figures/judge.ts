/** Prints whether a target is met. A benchmark that misses one exits with 1. */
export function judge(what: string, holds: boolean): void {
  console.log(`${holds ? 'PASS' : 'FAIL'}: ${what}`);
  if (!holds) process.exitCode = 1;
}
