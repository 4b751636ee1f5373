import { totalmem } from 'node:os';

/**
 * Returns the memory of the machine or of its container, whichever is less, in bytes. Without a container's limit, Node
 * reports 0 or more than the machine has.
 */
export function availableMemory(): number {
  const machine = totalmem();
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(machine, limit) : machine;
}
