import { fold } from '../../../domain/kernel/decider';
import { decodeEventData } from '../../../domain/kernel/event-catalogue';
import {
  GIB,
  type Instance,
  instance,
  type InstanceCommand,
  type InstanceEvent,
  type StatusReport,
} from '../../../domain/instance';
import { instanceEvents } from '../../../domain/instance/events';
import {
  instanceAbandoned,
  instanceDeleted,
  instanceFailed,
  instanceRequested,
  instanceRestarting,
  instanceRunning,
  instanceStarting,
  instanceStopping,
} from '../../support/domain-samples';
import { by, given } from '../../support/given-when-then';

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
const report = (status: StatusReport['status']): InstanceCommand => ({ type: 'ReportStatus', report: REPORTS[status] });
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
  it('that lapsed before it was requested never comes to be', () => {
    const abandon: InstanceCommand = { type: 'AbandonInstance', instanceId: 7 };
    const request: InstanceCommand = { type: 'RequestInstance', ...instanceRequested.data };
    given(instance).when(abandon).happens(instanceAbandoned);
    given(instance, instanceAbandoned).when(abandon).changesNothing();
    given(instance, instanceAbandoned).when(request).isRefused('SERVICE_UNAVAILABLE');
    given(instance, instanceAbandoned).when(fail).changesNothing();
    given(instance, instanceRequested).when(abandon).isRefused('ALREADY_EXISTS');
  });

  it.each(STATUSES)('knows that it is %s', (status) => {
    expect(inStatus(status).state()?.status).toBe(status);
  });

  it('is requested under an id nobody has', () => {
    const request: InstanceCommand = { type: 'RequestInstance', ...instanceRequested.data };
    given(instance).when(request).happens(instanceRequested);
    inStatus('deleted').when(request).isRefused('CONFLICT');
  });

  it('must exist before anything can happen to it', () => {
    given(instance).when(report('running')).isRefused('RESOURCE_NOT_FOUND');
    given(instance).when(fail).isRefused('RESOURCE_NOT_FOUND');
  });

  it('starts when its snapshot is ready, once', () => {
    const start: InstanceCommand = { type: 'StartInstance', memoryBytes: 4 * 1024 ** 3 };
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

  it('is started again from its snapshot under the same address', () => {
    const restart: InstanceCommand = { type: 'RestartInstance', reason: 'restart' };
    for (const status of ['starting', 'running'] as const) inStatus(status).when(restart).happens(instanceRestarting);
    for (const status of others('starting', 'running')) inStatus(status).when(restart).changesNothing();
  });

  describe('reports of its pod', () => {
    const moves: readonly (readonly [Status, StatusReport['status'], InstanceEvent])[] = [
      ['starting', 'running', instanceRunning],
      ['starting', 'failed', instanceFailed],
      ['running', 'failed', instanceFailed],
      [
        'starting',
        'stopping',
        { type: 'InstanceStopping', data: { ...instanceStopping.data, reason: 'the pod was stopped' } },
      ],
      [
        'running',
        'stopping',
        { type: 'InstanceStopping', data: { ...instanceStopping.data, reason: 'the pod was stopped' } },
      ],
    ];

    it.each(moves)('lead from %s to %s', (from, to, event) => {
      inStatus(from).when(report(to)).happens(event);
    });

    it.each(['starting', 'running', 'stopping', 'failed'] as const)(
      'of the same status %s change nothing',
      (status) => {
        inStatus(status).when(report(status)).changesNothing();
      },
    );

    const wrong = others('deleted').flatMap((from) =>
      (['starting', 'running', 'stopping', 'failed'] as const)
        .filter((to) => to !== from && !moves.some(([a, b]) => a === from && b === to))
        .map((to) => [from, to] as const),
    );
    it.each(wrong)('cannot lead from %s to %s', (from, to) => {
      inStatus(from)
        .when(report(to))
        .isRefused('INVALID_STATE_TRANSITION', { instance_id: 7, current_status: from, requested_status: to });
    });

    it('about a deleted instance find nothing', () => {
      inStatus('deleted').when(report('stopping')).isRefused('RESOURCE_NOT_FOUND', { instance_id: 7 });
    });
  });

  describe('a failure on the way to running', () => {
    it.each(['waiting_for_snapshot', 'starting'] as const)('ends an instance that is %s', (status) => {
      inStatus(status).when(fail).happens(instanceFailed);
    });

    it.each(others('waiting_for_snapshot', 'starting'))('comes too late for one that is %s', (status) => {
      inStatus(status).when(fail).changesNothing();
    });
  });

  describe('the loss of its pod', () => {
    const lost = (reason: string): InstanceCommand => ({ type: 'ReportPodLost', reason });

    it.each(['starting', 'running'] as const)('fails an instance that is %s', (status) => {
      const events = instance.decide(lost('exit code 1'), inStatus(status).state(), { now: new Date(), ...by('s') });
      expect(events).toMatchObject({
        right: [{ type: 'InstanceFailed', data: { errorCode: 'UNEXPECTED_TERMINATION', failedPhase: status } }],
      });
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
      data: { ...instanceStarting.data, memoryBytes: 8 * GIB, reason: 'oom_recovery' },
    };

    it.each(['starting', 'running'] as const)(
      'by lack of memory restarts one that is %s with twice as much',
      (status) => {
        inStatus(status).when(lost('OOMKilled')).happens(upgraded, restarted);
      },
    );

    it('by lack of memory is told as recovered once it runs again, and fails the instance the next time', () => {
      const report = { status: 'running', instanceUrl: null, nodeCount: 2, edgeCount: 1 } as const;
      const recovered: InstanceEvent = {
        type: 'InstanceOomRecovered',
        data: { instanceId: 7, ownerUsername: 'ada', oldMemoryBytes: 4 * GIB, newMemoryBytes: 8 * GIB },
      };
      const again = [instanceRequested, instanceStarting, instanceRunning, upgraded, restarted];
      given(instance, ...again)
        .when({ type: 'ReportStatus', report })
        .happens(instanceRunning, recovered);
      const state = given(instance, ...again, instanceRunning, recovered).state();
      const events = instance.decide(lost('OOMKilled'), state, { now: new Date(), ...by('s') });
      expect(events).toMatchObject({ right: [{ type: 'InstanceFailed', data: { errorCode: 'OOM_KILLED' } }] });
    });

    it('by lack of memory fails one that has all there is', () => {
      const largest: InstanceEvent = { ...instanceStarting, data: { ...instanceStarting.data, memoryBytes: 32 * GIB } };
      const state = given(instance, instanceRequested, largest).state();
      const events = instance.decide(lost('OOMKilled'), state, { now: new Date(), ...by('s') });
      expect(events).toMatchObject({ right: [{ data: { errorCode: 'OOM_KILLED' } }] });
    });

    it('completes the deletion of one that is stopping', () => {
      inStatus('stopping')
        .when(lost('gone'))
        .happens({ type: 'InstanceDeleted', data: { ...instanceDeleted.data, reason: 'the pod is gone' } });
    });

    it.each(others('starting', 'running', 'stopping'))('means nothing to one that is %s', (status) => {
      inStatus(status).when(lost('gone')).changesNothing();
    });
  });

  describe('its deletion', () => {
    const remove: InstanceCommand = { type: 'RequestDeletion', reason: 'deleted by ada' };

    it.each(others('stopping', 'deleted'))('begins while it is %s', (status) => {
      inStatus(status).when(remove).happens(instanceStopping);
    });

    it('begins once', () => {
      inStatus('stopping').when(remove).changesNothing();
    });

    it('is for the owner, admins and ops', () => {
      inStatus('running')
        .when(remove, by('bob'))
        .isRefused('PERMISSION_DENIED', { owner_username: 'ada', your_role: 'analyst' });
      for (const role of ['admin', 'ops', 'system'] as const) {
        inStatus('running').when(remove, by('bob', role)).happens(instanceStopping);
      }
    });

    it('finds nothing once it is over', () => {
      inStatus('deleted').when(remove).isRefused('RESOURCE_NOT_FOUND', { instance_id: 7 });
    });

    it('is complete only for one that is stopping, with the reason it was asked for', () => {
      inStatus('stopping').when({ type: 'CompleteDeletion' }).happens(instanceDeleted);
      for (const status of others('stopping')) inStatus(status).when({ type: 'CompleteDeletion' }).changesNothing();
    });
  });
});

test('a running event of version 1, with the address of the pod, is read without it', () => {
  const { type, data } = instanceRunning;
  const old = { type, schemaVersion: 1, data: { ...data, podIp: '10.0.0.7' } };
  expect(decodeEventData(instanceEvents, old, 'in an old log')).toEqual({ _tag: 'Right', right: instanceRunning });
});
