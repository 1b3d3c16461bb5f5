import {
  GIB,
  type Instance,
  instance,
  type InstanceCommand,
  type InstanceEvent,
  type PodEndCause,
  podNameOf,
  type StatusReport,
} from '../../../domain/instance';
import { instanceEvents } from '../../../domain/instance/events';
import { fold } from '../../../domain/kernel/decider';
import { decodeEventData } from '../../../domain/kernel/event-catalogue';
import {
  instanceAbandoned,
  instanceDeleted,
  instanceFailed,
  instanceInterrupted,
  instanceRequested,
  instanceRestarting,
  instanceRunning,
  instanceStarting,
  instanceStopping,
} from '../../support/domain-samples';
import { by, given, NOON } from '../../support/given-when-then';

const HISTORIES = {
  waiting_for_snapshot: [instanceRequested],
  starting: [instanceRequested, instanceStarting],
  running: [instanceRequested, instanceStarting, instanceRunning],
  failed: [instanceRequested, instanceStarting, instanceFailed],
  stopping: [instanceRequested, instanceStarting, instanceRunning, instanceStopping],
  deleted: [instanceRequested, instanceStarting, instanceRunning, instanceStopping, instanceDeleted],
} as const satisfies Readonly<Record<string, readonly InstanceEvent[]>>;
type Status = keyof typeof HISTORIES;
const STATUSES = Object.keys(HISTORIES) as readonly Status[];

const REPORTS: Readonly<Record<StatusReport['status'], StatusReport>> = {
  starting: { status: 'starting' },
  stopping: { status: 'stopping' },
  running: { status: 'running', instanceUrl: null, nodeCount: 2, edgeCount: 1 },
  failed: {
    status: 'failed',
    errorCode: 'STARTUP_FAILED',
    errorMessage: 'no',
    failedPhase: 'startup',
    stackTrace: null,
  },
};
const report = (status: StatusReport['status'], life: number | null = null): InstanceCommand => ({
  type: 'ReportStatus',
  life,
  report: REPORTS[status],
});
const fail: InstanceCommand = {
  type: 'FailInstance',
  errorCode: 'STARTUP_FAILED',
  errorMessage: 'no',
  failedPhase: 'startup',
};
const inStatus = (status: Status) => given(instance, ...HISTORIES[status]);
const others = (...except: readonly Status[]): readonly Status[] =>
  STATUSES.filter((status) => !except.includes(status));

describe('instance', () => {
  it('never exists when its reservation expired before the request', () => {
    const abandon: InstanceCommand = { type: 'AbandonInstance', instanceId: 7 };
    const request: InstanceCommand = { type: 'RequestInstance', ...instanceRequested.data };
    given(instance).when(abandon).happens(instanceAbandoned);
    given(instance, instanceAbandoned).when(abandon).changesNothing();
    given(instance, instanceAbandoned).when(request).isRefused('SERVICE_UNAVAILABLE');
    given(instance, instanceAbandoned).when(fail).changesNothing();
    given(instance, instanceRequested).when(abandon).isRefused('ALREADY_EXISTS');
  });

  it.each(STATUSES)('reports that it is %s', (status) => {
    expect(inStatus(status).state()?.status).toBe(status);
  });

  it('is requested under an unused id', () => {
    const request: InstanceCommand = { type: 'RequestInstance', ...instanceRequested.data };
    given(instance).when(request).happens(instanceRequested);
    inStatus('deleted').when(request).isRefused('CONFLICT');
  });

  it('must exist before any other command', () => {
    given(instance).when(report('running')).isRefused('RESOURCE_NOT_FOUND');
    given(instance).when(fail).isRefused('RESOURCE_NOT_FOUND');
  });

  it('starts once, when its snapshot is ready', () => {
    const start: InstanceCommand = { type: 'StartInstance', memoryBytes: 4 * 1024 ** 3, snapshotBytes: 2_000 };
    inStatus('waiting_for_snapshot').when(start).happens(instanceStarting);
    for (const status of others('waiting_for_snapshot')) inStatus(status).when(start).changesNothing();
  });

  it('keeps the address that its pod reported last', () => {
    const report = (instanceUrl: string | null): InstanceEvent => ({
      type: 'InstanceRunning',
      data: { ...instanceRunning.data, instanceUrl },
    });
    const addressAfter = (...reports: readonly InstanceEvent[]) =>
      fold<InstanceEvent, Instance | null>(instance, [instanceRequested, instanceStarting, ...reports])?.reportedUrl;
    expect(addressAfter(report('http://a'), instanceRestarting, report('http://b'))).toBe('http://b');
    expect(addressAfter(report('http://a'), instanceRestarting, report(null))).toBe('http://a');
  });

  it('is restarted from its snapshot under the same address', () => {
    const restart: InstanceCommand = { type: 'RestartInstance', reason: 'restart' };
    for (const status of ['starting', 'running'] as const) inStatus(status).when(restart).happens(instanceRestarting);
    for (const status of others('starting', 'running')) inStatus(status).when(restart).changesNothing();
  });

  describe('reports of its pod', () => {
    const moves: readonly (readonly [Status, StatusReport['status'], InstanceEvent])[] = [
      ['starting', 'running', instanceRunning],
      ['starting', 'failed', instanceFailed],
      ['running', 'failed', instanceFailed],
      ['starting', 'stopping', instanceInterrupted],
      ['running', 'stopping', instanceInterrupted],
    ];

    it.each(moves)('change %s to %s', (from, to, event) => {
      inStatus(from).when(report(to)).happens(event);
    });

    it.each(['starting', 'running', 'stopping', 'failed'] as const)(
      'reports of the same status %s change nothing',
      (status) => {
        inStatus(status).when(report(status)).changesNothing();
      },
    );

    const wrong = others('deleted').flatMap((from) =>
      (['starting', 'running', 'stopping', 'failed'] as const)
        .filter((to) => to !== from && !moves.some(([a, b]) => a === from && b === to))
        .map((to) => [from, to] as const),
    );
    it.each(wrong)('cannot change %s to %s', (from, to) => {
      inStatus(from)
        .when(report(to))
        .isRefused('INVALID_STATE_TRANSITION', { instance_id: 7, current_status: from, requested_status: to });
    });

    it('about a deleted instance return not found', () => {
      inStatus('deleted').when(report('stopping')).isRefused('RESOURCE_NOT_FOUND', { instance_id: 7 });
    });
  });

  describe('a failure before running', () => {
    it.each(['waiting_for_snapshot', 'starting'] as const)('ends an instance that is %s', (status) => {
      inStatus(status).when(fail).happens(instanceFailed);
    });

    it.each(others('waiting_for_snapshot', 'starting'))('is too late for an instance that is %s', (status) => {
      inStatus(status).when(fail).changesNothing();
    });
  });

  describe('the loss of its pod', () => {
    const lost = (cause: PodEndCause, life = 1): InstanceCommand => ({
      type: 'ReportPodLost',
      life,
      end: { cause, text: 'it ended' },
    });

    const upgraded: InstanceEvent = {
      type: 'InstanceMemoryUpgraded',
      data: {
        instanceId: 7,
        ownerUsername: 'ada',
        oldMemoryBytes: 4 * GIB,
        newMemoryBytes: 8 * GIB,
        reason: 'oom_recovery',
      },
    };
    const restarted: InstanceEvent = {
      type: 'InstanceRestarting',
      data: { ...instanceRestarting.data, memoryBytes: 8 * GIB, reason: 'oom_recovery' },
    };

    it.each(['starting', 'running'] as const)(
      'through lack of memory restarts one that is %s with twice the memory',
      (status) => {
        inStatus(status).when(lost('out_of_memory')).happens(upgraded, restarted);
      },
    );

    it('through lack of memory is recorded as recovered after it runs again, and fails the instance the next time', () => {
      const report = { status: 'running', instanceUrl: null, nodeCount: 2, edgeCount: 1 } as const;
      const recovered: InstanceEvent = {
        type: 'InstanceOomRecovered',
        data: { instanceId: 7, ownerUsername: 'ada', oldMemoryBytes: 4 * GIB, newMemoryBytes: 8 * GIB },
      };
      const again = [instanceRequested, instanceStarting, instanceRunning, upgraded, restarted];
      given(instance, ...again)
        .when({ type: 'ReportStatus', life: 2, report })
        .happens(instanceRunning, recovered);
      const state = given(instance, ...again, instanceRunning, recovered).state();
      const events = instance.decide(lost('out_of_memory', 2), state, { now: new Date(), ...by('s') });
      expect(events).toMatchObject({ right: [{ type: 'InstanceFailed', data: { errorCode: 'OOM_KILLED' } }] });
    });

    it('through lack of memory fails an instance that has the maximum', () => {
      const largest: InstanceEvent = { ...instanceStarting, data: { ...instanceStarting.data, memoryBytes: 32 * GIB } };
      const state = given(instance, instanceRequested, largest).state();
      const events = instance.decide(lost('out_of_memory'), state, { now: new Date(), ...by('s') });
      expect(events).toMatchObject({ right: [{ data: { errorCode: 'OOM_KILLED' } }] });
    });

    it('does not affect an instance that is being deleted', () => {
      inStatus('stopping').when(lost('missing')).changesNothing();
    });

    const POD_LOST = { reason: 'pod_lost' };
    const recovered = (life: number, at = NOON): InstanceEvent => ({
      type: 'InstanceRestarting',
      data: {
        ...instanceRestarting.data,
        ...POD_LOST,
        podName: podNameOf({ ...instanceRestarting.data, life }),
        life,
        at: at.toISOString(),
      },
    });

    it.each(['stopped', 'missing', 'crashed'] as const)('restarts a running instance whose pod is %s', (cause) => {
      inStatus('running').when(lost(cause)).happens(recovered(2));
    });

    it.each(['stopped', 'missing'] as const)('restarts an instance whose pod is %s while it loads', (cause) => {
      inStatus('starting').when(lost(cause)).happens(recovered(2));
    });

    describe('by a crash while it loads', () => {
      const crashed = (text: string, life: number): InstanceCommand => ({
        type: 'ReportPodLost',
        life,
        end: { cause: 'crashed', text },
      });
      const afterCrash = (life: number, loadingCrash: string): InstanceEvent => {
        const event = recovered(life);
        return { ...event, data: { ...event.data, loadingCrash } } as InstanceEvent;
      };
      const killedOnce = [...HISTORIES.starting, afterCrash(2, 'signal SIGKILL')];

      it('restarts the instance the first time, and when the next pod ends in another way', () => {
        inStatus('starting').when(crashed('signal SIGKILL', 1)).happens(afterCrash(2, 'signal SIGKILL'));
        given(instance, ...killedOnce)
          .when(crashed('exit code 1', 2))
          .happens(afterCrash(3, 'exit code 1'));
      });

      it('fails the instance when a pod ends in the same way again, whatever its log says and is lost meanwhile', () => {
        for (const [life, between] of [
          [2, []],
          [3, [recovered(3)]],
        ] as const) {
          const { right: events } = instance.decide(
            crashed('signal SIGKILL\nat 12:00', life),
            given(instance, ...killedOnce, ...between).state(),
            { now: NOON, ...by('s') },
          ) as { right: readonly InstanceEvent[] };
          expect(events).toMatchObject([
            { type: 'InstanceFailed', data: { errorCode: 'UNEXPECTED_TERMINATION', failedPhase: 'starting' } },
          ]);
        }
      });

      it('counts as the first one again after a pod has loaded the snapshot', () => {
        given(instance, ...killedOnce, instanceRunning, recovered(3))
          .when(crashed('signal SIGKILL', 3))
          .happens(afterCrash(4, 'signal SIGKILL'));
      });
    });

    it.each(['stopped', 'missing', 'crashed'] as const)('restarts one whose pod was stopping and is %s', (cause) => {
      given(instance, ...HISTORIES.running, instanceInterrupted)
        .when(lost(cause))
        .happens(recovered(2));
    });

    it('completes a deletion that was requested while its pod was stopping', () => {
      const interrupted = [...HISTORIES.running, instanceInterrupted];
      given(instance, ...interrupted)
        .when({ type: 'RequestDeletion', reason: 'deleted by ada' })
        .happens(instanceStopping);
      given(instance, ...interrupted)
        .when({ type: 'CompleteDeletion' })
        .changesNothing();
      given(instance, ...interrupted, instanceStopping)
        .when({ type: 'CompleteDeletion' })
        .happens(instanceDeleted);
    });

    it('restarts it three times within an hour, and fails it the fourth time', () => {
      const minutesAgo = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000);
      const lives = (first: number) => [
        recovered(2, minutesAgo(first)),
        recovered(3, minutesAgo(20)),
        recovered(4, minutesAgo(10)),
      ];
      given(instance, ...HISTORIES.running, ...lives(61))
        .when(lost('stopped', 4))
        .happens(recovered(5));
      const state = given(instance, ...HISTORIES.running, ...lives(59)).state();
      expect(instance.decide(lost('stopped', 4), state, { now: NOON, ...by('s') })).toMatchObject({
        right: [
          {
            type: 'InstanceFailed',
            data: {
              errorCode: 'UNEXPECTED_TERMINATION',
              errorMessage: expect.stringContaining('4 times within an hour') as string,
            },
          },
        ],
      });
    });

    it('is ignored when it is repeated, or of an earlier life', () => {
      const again = given(instance, ...HISTORIES.running, instanceRestarting);
      for (const cause of ['out_of_memory', 'stopped', 'crashed', 'missing'] as const)
        again.when(lost(cause)).changesNothing();
      for (const status of ['running', 'failed', 'stopping'] as const) again.when(report(status, 1)).changesNothing();
    });

    it.each(others('starting', 'running', 'stopping'))('is ignored by an instance that is %s', (status) => {
      inStatus(status).when(lost('missing')).changesNothing();
    });
  });

  describe('its deletion', () => {
    const remove: InstanceCommand = { type: 'RequestDeletion', reason: 'deleted by ada' };

    it.each(others('stopping', 'deleted'))('starts while it is %s', (status) => {
      inStatus(status).when(remove).happens(instanceStopping);
    });

    it('starts once', () => {
      inStatus('stopping').when(remove).changesNothing();
    });

    it('is allowed for the owner, admins and ops', () => {
      inStatus('running')
        .when(remove, by('bob'))
        .isRefused('PERMISSION_DENIED', { owner_username: 'ada', your_role: 'analyst' });
      for (const role of ['admin', 'ops', 'system'] as const) {
        inStatus('running').when(remove, by('bob', role)).happens(instanceStopping);
      }
    });

    it('returns not found after it is completed', () => {
      inStatus('deleted').when(remove).isRefused('RESOURCE_NOT_FOUND', { instance_id: 7 });
    });

    it('is completed only for a stopping instance, with the requested reason', () => {
      inStatus('stopping').when({ type: 'CompleteDeletion' }).happens(instanceDeleted);
      for (const status of others('stopping')) inStatus(status).when({ type: 'CompleteDeletion' }).changesNothing();
    });
  });
});

test('a running event of version 1, with the address of the pod, is read without that address', () => {
  const { type, data } = instanceRunning;
  const old = { type, schemaVersion: 1, data: { ...data, podIp: '10.0.0.7' } };
  expect(decodeEventData(instanceEvents, old, 'in an old log')).toEqual({ _tag: 'Right', right: instanceRunning });
});
