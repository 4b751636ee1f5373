/** Stops or releases one thing that was started. */
export type UndoStep = () => unknown;

/**
 * Takes the steps out of the list and runs them in reverse order. A failing step does not stop the others.
 *
 * @throws the first failure, after all have run.
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
