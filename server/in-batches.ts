/**
 * Repeats a statement that handles at most `most` rows until it has handled fewer, so that each stays within the statement
 * timeout, however many rows there are.
 */
export async function inBatches(
  most: number,
  handle: () => Promise<{ readonly rowCount: number | null }>,
): Promise<void> {
  for (let handled: number | null = most; handled === most; ) ({ rowCount: handled } = await handle());
}
