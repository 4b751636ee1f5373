/** For the tests and benchmarks, which are checked by the compiler. */
export function serverOptions(memory?: number): readonly string[];

/** The options of the runtime for a program of the command line. */
export const PROGRAM_OPTIONS: readonly string[];
