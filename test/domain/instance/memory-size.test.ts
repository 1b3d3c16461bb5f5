import fc from 'fast-check';
import { memorySize } from '../../../domain/instance';

const GIB = 1024 ** 3;

describe('the memory of a pod', () => {
  it('is the minimum of the engine plus half, for an empty graph', () => {
    expect(memorySize('graphdb_a', 0, false)).toBe(3 * GIB);
    expect(memorySize('graphdb_b', 0, false)).toBe(3 * GIB);
    expect(memorySize('graphdb_a', 0, true)).toBe(4 * GIB);
    expect(memorySize('graphdb_b', 0, true)).toBe(6 * GIB);
  });

  it('grows with the snapshot, by kind, in whole GiB', () => {
    expect(memorySize('graphdb_a', 5 * GIB, true)).toBe(10 * GIB); // (1.2 · 5 + 0.5) · 1.5 = 9.75
    expect(memorySize('graphdb_b', 5 * GIB, false)).toBe(17 * GIB); // (2 · 5 + 1) · 1.5 = 16.5
  });

  it('is between 3 and 32 GiB', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('graphdb_a' as const, 'graphdb_b' as const),
        fc.integer({ min: 0, max: 100 * GIB }),
        fc.boolean(),
        (kind, bytes, isOnKubernetes) => {
          const size = memorySize(kind, bytes, isOnKubernetes);
          expect(size).toBeGreaterThanOrEqual(3 * GIB);
          expect(size).toBeLessThanOrEqual(32 * GIB);
          expect(size % GIB).toBe(0);
        },
      ),
    );
  });
});
