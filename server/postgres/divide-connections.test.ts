import { expect, test } from 'vitest';
import { divideAmongCalls } from './call-pool.ts';
import { divideConnections, LEAST_CONNECTIONS } from './divide-connections.ts';

test('all connections are given to a part, and no two holders can take all that a kind can have', () => {
  for (let connections = LEAST_CONNECTIONS; connections <= 100; connections += 1) {
    const division = divideConnections(connections);
    expect(Object.values(division).reduce((sum: number, part: number) => sum + part, 0)).toBe(connections);
    expect(division.calls / connections).toBeGreaterThan(0.5);

    const { visitors, callers, service } = divideAmongCalls(division.calls);
    // Three accounts leave connections to a fourth one, and two addresses, or the secret key twice, to a third.
    expect(3 * callers.perHolder).toBeLessThan(callers.connections);
    expect(2 * visitors.perHolder).toBeLessThan(visitors.connections);
    expect(2 * service.perHolder).toBeLessThan(service.connections);
    // Neither what strangers can make slow nor the service takes a connection of owners, or the last one of the other.
    expect(callers.connections + visitors.connections).toBeLessThan(division.calls);
    expect(callers.connections + service.connections).toBeLessThan(division.calls);
  }
});
