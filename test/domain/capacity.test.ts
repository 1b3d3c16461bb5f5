import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { capacity, type CapacityCommand, type CapacityEvent } from '../../domain/capacity';
import { by, given, NOON } from '../support/given-when-then';

const limits = { perAnalyst: 2, clusterTotal: 3 };
const reserve = (instanceId: number, ownerUsername = 'ada'): CapacityCommand => ({
  type: 'ReserveSlot',
  instanceId,
  ownerUsername,
  limits,
});
const reserved = (instanceId: number, ownerUsername = 'ada'): CapacityEvent => ({
  type: 'SlotReserved',
  data: { instanceId, ownerUsername },
});
const released = (instanceId: number, ownerUsername = 'ada'): CapacityEvent => ({
  type: 'SlotReleased',
  data: { instanceId, ownerUsername },
});

describe('capacity', () => {
  it('reserves a slot below the limit', () => {
    given(capacity, reserved(1)).when(reserve(2)).happens(reserved(2));
  });

  it('rejects a slot beyond the limit of one owner, whatever the role', () => {
    given(capacity, reserved(1), reserved(2))
      .when(reserve(3), by('ada', 'ops'))
      .isRefused('CONCURRENCY_LIMIT_EXCEEDED', { limit_type: 'per_analyst', current_count: 2, max_allowed: 2 });
  });

  it('rejects a slot beyond the limit of the cluster', () => {
    given(capacity, reserved(1), reserved(2), reserved(3, 'bob'))
      .when(reserve(4, 'cleo'))
      .isRefused('CONCURRENCY_LIMIT_EXCEEDED', { limit_type: 'cluster_total', current_count: 3, max_allowed: 3 });
  });

  it('reports the limit of the owner first when both are reached', () => {
    given(capacity, reserved(1), reserved(2), reserved(3, 'bob'))
      .when(reserve(4))
      .isRefused('CONCURRENCY_LIMIT_EXCEEDED', { limit_type: 'per_analyst' });
  });

  it('reserves the slot of one instance once', () => {
    given(capacity, reserved(1)).when(reserve(1)).changesNothing();
  });

  it('has a free slot again after a release', () => {
    given(capacity, reserved(1), reserved(2), released(1)).when(reserve(3)).happens(reserved(3));
  });

  it('releases under the name of the owner who reserved', () => {
    given(capacity, reserved(1, 'bob')).when({ type: 'ReleaseSlot', instanceId: 1 }).happens(released(1, 'bob'));
  });

  it('ignores the release of a free slot', () => {
    given(capacity, reserved(1), released(1)).when({ type: 'ReleaseSlot', instanceId: 1 }).changesNothing();
  });

  it('never exceeds its limits, whatever commands arrive in whatever order', () => {
    const owner = fc.constantFrom('ada', 'bob', 'cleo');
    const command = fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 12 }), owner).map(([id, name]) => reserve(id, name)),
      fc.integer({ min: 1, max: 12 }).map((instanceId): CapacityCommand => ({ type: 'ReleaseSlot', instanceId })),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        let slots = capacity.initial;
        for (const one of commands) {
          const decided = capacity.decide(one, slots, { now: NOON, ...by('ada') });
          if (isRight(decided)) slots = decided.right.reduce(capacity.evolve, slots);
          const owners = [...slots.values()];
          expect(owners.length).toBeLessThanOrEqual(limits.clusterTotal);
          for (const name of owners) {
            expect(owners.filter((other) => other === name).length).toBeLessThanOrEqual(limits.perAnalyst);
          }
        }
      }),
    );
  });
});
