import { expect, test } from 'vitest';
import { divideAmongCalls } from './call-pool.ts';
import { divideConnections, LEAST_CONNECTIONS } from './divide-connections.ts';

test('all connections are given to a part, and no two holders can take all that a kind can have', () => {
  for (let connections = LEAST_CONNECTIONS; connections <= 100; connections += 1) {
    const division = divideConnections(connections);
    expect(Object.values(division).reduce((sum: number, part: number) => sum + part, 0)).toBe(connections);
    expect(division.calls / connections).toBeGreaterThan(0.5);

    const { visitors, callers, service, people, perAddress } = divideAmongCalls(division.calls);
    // Three accounts leave connections to a fourth one, and two addresses to a third.
    expect(3).toBeLessThan(callers);
    expect(2 * perAddress).toBeLessThan(visitors);
    // What strangers can make slow leaves connections to signed-in callers, and both to the service.
    expect(people - visitors).toBeGreaterThan(3);
    expect(people).toBeLessThan(division.calls);
    expect(service).toBeGreaterThan(3);
  }
});
