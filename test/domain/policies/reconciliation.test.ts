import fc from 'fast-check';
import { type InstanceStatus, type PodStatus } from '../../../domain/instance';
import { reconcile, type ReconciledInstance, type Repair, type SystemView } from '../../../domain/policies';
import { NOON } from '../../support/given-when-then';

const ago = (seconds: number): Date => new Date(NOON.getTime() - seconds * 1000);
const HOUR = 3600;

const instance = (
  status: InstanceStatus,
  since = HOUR,
  changes: Partial<ReconciledInstance> = {},
): ReconciledInstance => ({
  instanceId: 7,
  urlSlug: 'slug-7',
  status,
  revision: 4,
  statusSince: ago(since),
  life: status === 'waiting_for_snapshot' ? 0 : 1,
  isBeingDeleted: status === 'stopping',
  deadline: null,
  ...changes,
});
const pod = (instanceId = 7, changes: Partial<PodStatus> = {}): PodStatus => ({
  podName: `graph-slug-${instanceId}-1`,
  instanceId,
  urlSlug: `slug-${instanceId}`,
  life: 1,
  phase: 'ready',
  reason: null,
  end: null,
  ...changes,
});
const OOM = { cause: 'out_of_memory', text: 'OOMKilled' } as const;
const ended = pod(7, { phase: 'ended', end: OOM });
const view = (
  pods: readonly PodStatus[] | null,
  instances: readonly ReconciledInstance[],
  slots: SystemView['slots'] = [],
): SystemView => ({
  readAt: NOON,
  pods,
  slots,
  instances: new Map(instances.map((one) => [one.instanceId, one])),
  refusedOrders: new Map(),
});
const repairs = (...args: Parameters<typeof view>): readonly Repair[] => reconcile(view(...args), false).repairs;

describe('reconciliation of pods', () => {
  it.each(['starting', 'running'] as const)('skips an instance that is %s and its pod', (status) => {
    expect(repairs([pod()], [instance(status)])).toEqual([]);
  });

  it('deletes an orphaned pod', () => {
    expect(repairs([pod()], [])).toEqual([
      { kind: 'delete_pod', instanceId: 7, urlSlug: 'slug-7', life: 1, why: 'its instance does not exist' },
    ]);
  });

  it('deletes a pod under another address than that of its instance', () => {
    const stray = pod(7, { urlSlug: 'other' });
    expect(repairs([pod(), stray], [instance('running')])).toMatchObject([{ kind: 'delete_pod', urlSlug: 'other' }]);
  });

  it.each(['failed', 'deleted', 'stopping', 'waiting_for_snapshot'] as const)(
    'deletes the pod of an instance that has been %s for longer than its own cleanup takes',
    (status) => {
      expect(repairs([pod()], [instance(status, 301)])).toMatchObject([{ kind: 'delete_pod', urlSlug: 'slug-7' }]);
      expect(repairs([pod()], [instance(status, 299)])).toEqual([]);
    },
  );

  it('skips everything created after it started to read', () => {
    expect(repairs([], [instance('running', 0)])).toEqual([]);
    expect(repairs([], [instance('stopping', 0)])).toEqual([]);
  });
});

describe('reconciliation of instances', () => {
  it('records the loss of a missing pod', () => {
    expect(repairs([], [instance('running')])).toEqual([
      {
        kind: 'report_pod_lost',
        instanceId: 7,
        revision: 4,
        life: 1,
        end: { cause: 'missing', text: 'the pod is gone' },
      },
    ]);
  });

  it.each(['starting', 'running'] as const)('reports why the pod of one that is %s has ended', (status) => {
    expect(repairs([ended], [instance(status)])).toMatchObject([{ kind: 'report_pod_lost', life: 1, end: OOM }]);
  });

  it('waits for the pod of a starting instance', () => {
    expect(repairs([], [instance('starting', 119)])).toEqual([]);
    expect(repairs([], [instance('starting', 120)])).toMatchObject([{ kind: 'report_pod_lost' }]);
  });

  it('waits longer for a pod that the runtime has not accepted, up to the deadline, whose error has the reason', () => {
    const waiting = (deadline: Date) => ({
      ...view([], [instance('starting', HOUR, { deadline })]),
      refusedOrders: new Map([[7, 'exceeded quota: small']]),
    });
    expect(reconcile(waiting(ago(-1)), false).repairs).toEqual([]);
    expect(reconcile(waiting(ago(1)), false).repairs).toMatchObject([
      { kind: 'give_up', errorMessage: expect.stringMatching(/reports: exceeded quota: small$/) as string },
    ]);
  });

  it('does not apply the end of the former pod to a restarted instance', () => {
    expect(repairs([ended], [instance('starting', 10, { life: 2 })])).toEqual([]);
    expect(repairs([ended, pod(7, { life: 2 })], [instance('running', HOUR, { life: 2 })])).toMatchObject([
      { kind: 'delete_pod', life: 1 },
    ]);
  });

  it('completes the deletion of a stopping instance without a pod', () => {
    expect(repairs([], [instance('stopping', 1)])).toEqual([{ kind: 'complete_deletion', instanceId: 7, revision: 4 }]);
  });

  it('fails an instance after its deadline, and not before', () => {
    const waiting = (deadline: Date) => instance('waiting_for_snapshot', HOUR, { deadline });
    expect(repairs([], [waiting(ago(1))])).toMatchObject([{ kind: 'give_up', errorCode: 'EXPORT_TIMEOUT' }]);
    expect(repairs([], [waiting(ago(-1))])).toEqual([]);
    expect(repairs([pod()], [instance('starting', HOUR, { deadline: ago(1) })])).toMatchObject([
      { kind: 'give_up', errorCode: 'STARTUP_FAILED', failedPhase: 'startup' },
    ]);
    const stuck = pod(7, { phase: 'starting', reason: 'ImagePullBackOff' });
    expect(repairs([stuck], [instance('starting', HOUR, { deadline: ago(1) })])).toMatchObject([
      { errorMessage: expect.stringMatching(/The pod runtime reports: ImagePullBackOff$/) as string },
    ]);
  });

  it('reports no lost pods where an external runner runs them', () => {
    expect(repairs(null, [instance('running')])).toEqual([]);
    expect(repairs(null, [instance('stopping', 299)])).toEqual([]);
    expect(repairs(null, [instance('stopping', 300)])).toMatchObject([{ kind: 'complete_deletion' }]);
  });
});

describe('reconciliation of slots', () => {
  const slot = (seconds: number) => [{ instanceId: 7, since: ago(seconds) }];

  it.each(['stopping', 'failed', 'deleted'] as const)(
    'frees the slot of an instance that has long been %s',
    (status) => {
      expect(repairs([], [instance(status, 301)], slot(HOUR))).toContainEqual({
        kind: 'release_slot',
        instanceId: 7,
        neverRequested: false,
      });
      expect(repairs([pod()], [instance(status, 299)], slot(HOUR))).toEqual([]);
    },
  );

  it('frees the slot of an instance that was never requested', () => {
    expect(repairs([], [], slot(301))).toEqual([{ kind: 'release_slot', instanceId: 7, neverRequested: true }]);
    expect(repairs([], [], slot(299))).toEqual([]);
  });

  it('keeps the slot of an existing one', () => {
    expect(repairs([], [instance('waiting_for_snapshot')], slot(HOUR))).toEqual([]);
  });
});

describe('the deletion limit of reconciliation', () => {
  const strays = (count: number): readonly PodStatus[] => Array.from({ length: count }, (_, n) => pod(100 + n));
  const healthy = (count: number) => ({
    pods: Array.from({ length: count }, (_, n) => pod(1000 + n)),
    instances: Array.from({ length: count }, (_, n) =>
      instance('running', HOUR, { instanceId: 1000 + n, urlSlug: `slug-${1000 + n}` }),
    ),
  });

  it('allows five deletions, and suspends all of more', () => {
    expect(reconcile(view(strays(5), []), false)).toMatchObject({ suspendedDeletions: 0, repairs: { length: 5 } });
    expect(reconcile(view(strays(6), []), false)).toEqual({ suspendedDeletions: 6, repairs: [] });
  });

  it('allows a tenth of many pods', () => {
    const { pods, instances } = healthy(90);
    expect(reconcile(view([...pods, ...strays(10)], instances), false)).toMatchObject({ repairs: { length: 10 } });
    expect(reconcile(view([...pods, ...strays(11)], instances), false)).toMatchObject({ suspendedDeletions: 11 });
  });

  it('does not apply to a run triggered by ops, nor to anything but pods', () => {
    expect(reconcile(view(strays(40), []), true)).toMatchObject({ suspendedDeletions: 0, repairs: { length: 40 } });
    const lost = instance('running');
    expect(reconcile(view(strays(6), [lost]), false).repairs).toMatchObject([{ kind: 'report_pod_lost' }]);
  });
});

describe('any result of reconciliation', () => {
  const statuses = ['waiting_for_snapshot', 'starting', 'running', 'stopping', 'failed', 'deleted'] as const;
  const seconds = fc.integer({ min: 0, max: 4000 });
  const someInstance = fc
    .record({ instanceId: fc.integer({ min: 1, max: 30 }), status: fc.constantFrom(...statuses), since: seconds })
    .map(({ instanceId, status, since }) =>
      instance(status, since, { instanceId, urlSlug: `slug-${instanceId}`, deadline: ago(0) }),
    );
  const somePod = fc
    .record({
      id: fc.integer({ min: 1, max: 40 }),
      phase: fc.constantFrom('starting' as const, 'ready' as const, 'ending' as const, 'ended' as const),
      life: fc.integer({ min: 1, max: 2 }),
    })
    .map(({ id, phase, life }) => pod(id, { phase, life }));
  const someView = fc
    .record({
      pods: fc.uniqueArray(somePod, { selector: (one) => one.urlSlug, maxLength: 40 }),
      instances: fc.uniqueArray(someInstance, { selector: (one) => one.instanceId, maxLength: 30 }),
      slots: fc.uniqueArray(fc.record({ instanceId: fc.integer({ min: 1, max: 40 }), since: seconds.map(ago) }), {
        selector: (one) => one.instanceId,
      }),
    })
    .map(({ pods, instances, slots }) => view(pods, instances, slots));

  it('never removes the pod, the slot or the life of an instance that has its pod and is within its deadlines', () => {
    fc.assert(
      fc.property(someView, fc.boolean(), (seen, byHand) => {
        for (const repair of reconcile(seen, byHand).repairs) {
          const found = seen.instances.get(repair.instanceId);
          if (found !== undefined && repair.kind === 'delete_pod' && repair.life < found.life) continue;
          const itsPod = seen.pods?.find(({ urlSlug, life }) => urlSlug === found?.urlSlug && life === found.life);
          if (found?.status === 'running') expect(repair.kind).toBe('report_pod_lost');
          if (found?.status === 'running' && itsPod !== undefined) expect(itsPod.phase).toBe('ended');
          if (found?.status === 'starting') expect(['report_pod_lost', 'give_up']).toContain(repair.kind);
        }
      }),
    );
  });

  it('never deletes many pods without ops', () => {
    fc.assert(
      fc.property(someView, (seen) => {
        const deletions = reconcile(seen, false).repairs.filter(({ kind }) => kind === 'delete_pod').length;
        expect(deletions).toBeLessThanOrEqual(Math.max(5, (seen.pods?.length ?? 0) * 0.1));
      }),
    );
  });
});
