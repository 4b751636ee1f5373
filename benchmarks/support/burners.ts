import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Programs that keep each core of the machine busy. */
export class Burners {
  #children: ChildProcess[] = [];

  start(): void {
    for (let core = 0; core < availableParallelism(); core += 1) {
      this.#children.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    }
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    this.#children = [];
  }
}
