import { totalmem } from 'node:os';

/** Bytes. A container's limit counts where it is below what the machine has; without one Node says 0 or more than that. */
export function availableMemory(): number {
  const machine = totalmem();
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(machine, limit) : machine;
}
