/** Whether the process, or the whole machine, had no file or socket left to open: for the moment, and nobody's mistake. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
