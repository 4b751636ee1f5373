/** How often, and at which intervals in milliseconds, the result of a test is asked for. */
const LOOKS = 6;
const LOOK_MS = 1_500;

/** Reads the result of a test until it is there. Returns undefined where it is not after some seconds. */
export async function waitForResult<Result>(read: () => Promise<Result | undefined>): Promise<Result | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const found = await read().catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
