/** Those of the names that `BENCHMARK_CALLS=message,insert` lists; without it, all. */
export function chosenCalls<Call extends string>(calls: readonly Call[]): readonly Call[] {
  const chosen = process.env.BENCHMARK_CALLS?.split(',');
  return calls.filter((call) => chosen?.includes(call) ?? true);
}
