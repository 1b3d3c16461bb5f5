import { type PodObject } from '../../../adapters/kubernetes/api-objects';
import { podStatusOf } from '../../../adapters/kubernetes/pod-status';

type Status = NonNullable<PodObject['status']>;

const pod = (status: Status, metadata: Partial<PodObject['metadata']> = {}): PodObject => ({
  metadata: { name: 'graph-a-b-7', uid: 'u', resourceVersion: '1', labels: { 'rowgraph/instance': '42' }, ...metadata },
  spec: { containers: [] },
  status,
});
const terminated = (exitCode: number, reason = 'Error'): Pick<Status, 'containerStatuses'> => ({
  containerStatuses: [{ name: 'graph', state: { terminated: { exitCode, reason } } }],
});
const running = { name: 'graph', ready: true, state: {} };
const ready = { phase: 'Running', podIP: '10.0.0.1', containerStatuses: [running] };
const deleted = { deletionTimestamp: '2026-11-24T19:00:00Z' };

it('reads instance, slug and life', () => {
  expect(podStatusOf(pod(ready), false)).toEqual({
    podName: 'graph-a-b-7',
    instanceId: 42,
    urlSlug: 'a-b',
    life: 7,
    phase: 'ready',
    reason: null,
    end: null,
  });
});

it('keeps a pod ready that a controller marks as not ready', () => {
  const conditions = [{ type: 'Ready', status: 'False' }];
  expect(podStatusOf(pod({ ...ready, conditions }), false)?.phase).toBe('ready');
});

it.each([
  ['no pod of an instance', { labels: {} }],
  ['another name', { name: 'graph-a' }],
])('ignores %s', (_, metadata) => {
  expect(podStatusOf(pod(ready, metadata), false)).toBeNull();
});

it.each<[string, PodObject, string, string | null]>([
  ['no status', pod({}), 'starting', null],
  ['running, not ready', pod({ ...ready, containerStatuses: [{ ...running, ready: false }] }), 'starting', null],
  [
    'creating',
    pod({ containerStatuses: [{ name: 'graph', state: { waiting: { reason: 'ContainerCreating' } } }] }),
    'starting',
    null,
  ],
  [
    'no image',
    pod({
      containerStatuses: [{ name: 'graph', state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }],
    }),
    'starting',
    'ErrImagePull: not found',
  ],
  [
    'no room',
    pod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/2 nodes' }] }),
    'starting',
    'Unschedulable: 0/2 nodes',
  ],
  ['deleted', pod(ready, deleted), 'ending', null],
])('the status %s', (_, object, phase, reason) => {
  expect(podStatusOf(object, false)).toMatchObject({ phase, reason, end: null });
});

it.each<[string, PodObject, boolean, string, string]>([
  [
    'the kernel ended it',
    pod({ phase: 'Failed', ...terminated(137, 'OOMKilled') }),
    false,
    'out_of_memory',
    'OOMKilled',
  ],
  ['the kernel ended its engine', pod({ phase: 'Failed', ...terminated(112) }), false, 'out_of_memory', 'OOMKilled'],
  ['it crashed', pod({ phase: 'Failed', ...terminated(1) }), false, 'crashed', 'exit code 1'],
  ['its liveness failed', pod({ phase: 'Failed', ...terminated(137) }), false, 'crashed', 'exit code 137'],
  ['it got a signal', pod({ phase: 'Failed', ...terminated(143) }), false, 'stopped', 'exit code 143'],
  [
    'it was deleted and killed',
    pod({ phase: 'Running', ...terminated(137) }, deleted),
    false,
    'stopped',
    'exit code 137',
  ],
  [
    'it was evicted',
    pod({ phase: 'Failed', reason: 'Evicted', message: 'low on memory' }),
    false,
    'stopped',
    'Evicted: low on memory',
  ],
  [
    'the scheduler preempted it',
    pod({
      phase: 'Failed',
      ...terminated(137),
      conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }],
    }),
    false,
    'stopped',
    'PreemptionByScheduler',
  ],
  ['it is gone', pod(ready), true, 'missing', 'the pod was removed from the cluster'],
  ['it is gone as ordered', pod(ready, deleted), true, 'stopped', 'the pod was deleted'],
  ['it had crashed and is gone', pod({ phase: 'Failed', ...terminated(3) }), true, 'crashed', 'exit code 3'],
])('has ended: %s', (_, object, isGone, cause, text) => {
  expect(podStatusOf(object, isGone)).toMatchObject({ phase: 'ended', reason: null, end: { cause, text } });
});

/** A container that a policy of the cluster has added, before and after the graph's. */
const beside = (state: NonNullable<Status['containerStatuses']>[number]['state'], ofGraph = running) =>
  [
    [{ name: 'mesh', ready: false, state }, ofGraph],
    [ofGraph, { name: 'mesh', ready: false, state }],
  ] as const;

describe.each([
  ['ends', { terminated: { exitCode: 0, reason: 'Completed' } }],
  ['exceeds its memory', { terminated: { exitCode: 137, reason: 'OOMKilled' } }],
  ['crashes', { terminated: { exitCode: 1, reason: 'Error' } }],
  ['restarts again and again', { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } }],
  ['has no image', { waiting: { reason: 'ImagePullBackOff', message: 'not found' } }],
])('when another container %s', (_, state) => {
  const conditions = [{ type: 'ContainersReady', status: 'False' }];

  it.each(beside(state))('a ready graph stays ready', (...containerStatuses) => {
    for (const phase of ['Running', 'Pending']) {
      const status = podStatusOf(pod({ ...ready, phase, conditions, containerStatuses }), false);
      expect(status).toMatchObject({ phase: 'ready', reason: null, end: null });
    }
  });

  it('a native sidecar does not hide a ready graph', () => {
    const initContainerStatuses = [{ name: 'mesh', ready: false, state }];
    expect(podStatusOf(pod({ ...ready, conditions, initContainerStatuses }), false)).toMatchObject({
      phase: 'ready',
      reason: null,
      end: null,
    });
  });

  it('the end of the graph has its own cause', () => {
    const ended = { ...running, ready: false, state: { terminated: { exitCode: 3, reason: 'Error' } } };
    for (const containerStatuses of beside(state, ended)) {
      const { phase, end } = podStatusOf(pod({ ...ready, phase: 'Failed', containerStatuses }), false) ?? {};
      expect([phase, end]).toEqual(['ended', { cause: 'crashed', text: 'exit code 3' }]);
    }
  });

  it('a graph that has not started is not ended by it', () => {
    const waiting = { ...running, ready: false, state: { waiting: { reason: 'ContainerCreating' } } };
    for (const containerStatuses of beside(state, waiting))
      expect(podStatusOf(pod({ phase: 'Pending', containerStatuses }), false)).toMatchObject({
        phase: 'starting',
        reason: null,
        end: null,
      });
  });
});

describe('a container that must come before the graph', () => {
  const containerStatuses = [{ name: 'graph', ready: false, state: { waiting: { reason: 'PodInitializing' } } }];
  const before = (state: NonNullable<Status['containerStatuses']>[number]['state'], phase = 'Pending') =>
    pod({
      phase,
      containerStatuses,
      initContainerStatuses: [
        { name: 'done', ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        { name: 'mesh', ready: false, state },
      ],
    });

  it.each([
    [{ waiting: { reason: 'ImagePullBackOff', message: 'not found' } }, 'container mesh: ImagePullBackOff: not found'],
    [{ waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } }, 'container mesh: CrashLoopBackOff: back-off'],
    [{ waiting: { reason: 'PodInitializing' } }, null],
  ])('is the reason when it cannot start: %j', (state, reason) => {
    expect(podStatusOf(before(state), false)).toMatchObject({ phase: 'starting', reason, end: null });
  });

  it.each([
    [{ exitCode: 1, reason: 'Error', message: 'no route' }, 'container mesh: Error: no route, exit code 1'],
    [{ exitCode: 137, reason: 'OOMKilled' }, 'container mesh: OOMKilled, exit code 137'],
  ])('is named when it fails: %j', (terminated, text) => {
    expect(podStatusOf(before({ terminated }, 'Failed'), false)?.end).toEqual({ cause: 'crashed', text });
  });
});
