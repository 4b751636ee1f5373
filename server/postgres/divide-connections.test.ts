import { expect, test } from 'vitest';
import { divideAmongCalls } from './call-pool.ts';
import { divideConnections, LEAST_CONNECTIONS } from './divide-connections.ts';

test('all connections are given to a part, and no two holders can take all that a kind can have', () => {
  for (let connections = LEAST_CONNECTIONS; connections <= 100; connections += 1) {
    const division = divideConnections(connections);
    expect(Object.values(division).reduce((sum: number, part: number) => sum + part, 0)).toBe(connections);
    expect(division.calls / connections).toBeGreaterThan(0.5);

    const { kinds, perAddress } = divideAmongCalls(division.calls);
    expect(2).toBeLessThan(kinds.callers.most - kinds.slow.most);
    expect(2 * perAddress).toBeLessThan(kinds.visitors.most);
    // What strangers can make slow leaves connections to the service and to signed-in callers.
    const { visitors, slow, callers, service } = kinds;
    expect(division.calls - visitors.most - slow.most).toBeGreaterThanOrEqual(callers.own + service.own);
  }
});
