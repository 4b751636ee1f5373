/** `disconnect`: the launcher has ended, perhaps killed, so no other process would stop this one. */
const REASONS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'] as const;
type Reason = (typeof REASONS)[number];

/** How long a start may go on after a signal to stop, in milliseconds. */
const START_WITHIN_MS = 25_000;

/**
 * Passes on the signals that were held, in order, and each later one as it comes. The returned function holds those that
 * come from then on, for another call.
 */
export type PassSignals = (handlers: Readonly<Record<Reason, (reason: Reason) => void>>) => () => void;

/**
 * Holds the signals that arrive while the server starts, for the handlers that it has once it has started. Without
 * handlers, a signal would end this process and leave its database to recover, and the first process of a container would
 * ignore it. Where the start goes on for `withinMs` after a signal to stop, the process exits with 1.
 */
export function holdSignals(withinMs = START_WITHIN_MS): PassSignals {
  const held = new Set<Reason>();
  let late: NodeJS.Timeout | undefined;
  const hold = (reason: Reason): void => {
    held.add(reason);
    // A service manager's request to restart does not end the start.
    if (reason !== 'SIGHUP') late ??= setTimeout(() => process.exit(1), withinMs).unref();
  };
  let handle = hold;
  for (const reason of REASONS) process.on(reason, () => handle(reason));
  return (handlers) => {
    clearTimeout(late);
    handle = (reason) => handlers[reason](reason);
    for (const reason of held) handle(reason);
    held.clear();
    return () => {
      late = undefined;
      handle = hold;
    };
  };
}
