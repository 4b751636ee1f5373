/**
 * Runs steps until they succeed, at most five times: for what has to be over before the product itself ends it after a
 * second, or within a bound of that order. A busy machine can be late once; a faulty product is late each time. The last
 * failure is thrown.
 */
export async function inSomeAttempt<Result>(steps: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await steps();
    } catch (failure) {
      if (attempt === 5) throw failure;
    }
  }
}
