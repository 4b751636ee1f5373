/** For the tests and benchmarks, which are checked by the compiler. */
export function serverOptions(memory?: number): readonly string[];
