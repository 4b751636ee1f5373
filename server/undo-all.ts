/** What ends or gives back one thing that was started. */
export type UndoStep = () => unknown;

/**
 * Takes the steps out of the list and runs them one after another, the last one first. One that fails keeps no other
 * from its turn.
 * @throws the first failure, once all have run.
 */
export async function undoAll(steps: UndoStep[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
