import type { Dependencies } from '#server/dependencies.ts';

/** Stops the whole process once a message is recorded as sent whose key begins with `prefix`. */
export function stopOnceRecorded(dependencies: Dependencies, prefix: string): Dependencies {
  const { sent } = dependencies;
  return {
    ...dependencies,
    sent: {
      has: (key) => sent.has(key),
      async add(key) {
        await sent.add(key);
        if (!key.startsWith(prefix)) return;
        process.stdout.write('accepted\n');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      },
    },
  };
}
