import { DEFAULT_LIFECYCLE } from '../../../domain/config';
import {
  GIB,
  instance,
  type InstanceAccess,
  type InstanceCommand,
  type InstanceEvent,
  type OwnerCommand,
} from '../../../domain/instance';
import {
  instanceDeleted,
  instanceFailed,
  instanceRequested,
  instanceRunning,
  instanceStarting,
  instanceStopping,
} from '../../support/domain-samples';
import { by, given } from '../../support/given-when-then';

const ofInstance = { instanceId: 7, ownerUsername: 'ada' };
const limits = DEFAULT_LIFECYCLE.instance; // PT24H, PT4H, at most P7D
const running = given(instance, instanceRequested, instanceStarting, instanceRunning);
const notRunning = {
  waiting_for_snapshot: given(instance, instanceRequested),
  starting: given(instance, instanceRequested, instanceStarting),
  failed: given(instance, instanceRequested, instanceStarting, instanceFailed),
  stopping: given(instance, instanceRequested, instanceStopping),
};
const cpu = (cpuCores: number): OwnerCommand => ({ type: 'UpdateCpu', cpuCores, lock: null });
const memory = (gib: number): OwnerCommand => ({
  type: 'UpgradeMemory',
  memoryBytes: gib * GIB,
  reason: 'user_request',
  lock: null,
});
const describeAs = (change: { name?: string; description?: string }): OwnerCommand => ({
  type: 'DescribeInstance',
  ...change,
});
const live = (change: { ttl?: string | null; inactivityTimeout?: string | null }): OwnerCommand => ({
  type: 'ChangeInstanceLifetime',
  ...change,
  limits,
});
const share = (mode: InstanceAccess['mode'], ...users: readonly string[]): OwnerCommand => ({
  type: 'ChangeInstanceAccess',
  access: { mode, users },
});
const shared = (mode: InstanceAccess['mode'], ...users: readonly string[]): InstanceEvent => ({
  type: 'InstanceAccessChanged',
  data: { ...ofInstance, access: { mode, users } },
});
const upgraded = (oldGib: number, newGib: number): InstanceEvent => ({
  type: 'InstanceMemoryUpgraded',
  data: { ...ofInstance, oldMemoryBytes: oldGib * GIB, newMemoryBytes: newGib * GIB, reason: 'user_request' },
});
const lifetime = (ttl: string, inactivityTimeout: string): InstanceEvent => ({
  type: 'InstanceLifetimeChanged',
  data: { ...ofInstance, ttl, inactivityTimeout },
});

describe('changing an instance', () => {
  const commands = [cpu(4), memory(8), describeAs({ name: 'Other' }), live({ ttl: 'PT12H' }), share('owner')];

  it.each(commands)('$type is allowed for the owner, admins, ops and the system', (command) => {
    running.when(command, by('bob')).isRefused('PERMISSION_DENIED', { owner_username: 'ada', your_role: 'analyst' });
    for (const role of ['admin', 'ops', 'system'] as const) {
      const decided = instance.decide(command, running.state(), { now: new Date(), ...by('bob', role) });
      expect(decided).toMatchObject({ right: [{ data: ofInstance }] });
    }
  });

  it.each(commands)('$type returns not found to users without access', (command) => {
    const closed = given(instance, instanceRequested, instanceStarting, instanceRunning, shared('users', 'carl'));
    closed.when(command, by('bob')).isRefused('RESOURCE_NOT_FOUND', { instance_id: 7 });
    closed.when(command, by('carl')).isRefused('PERMISSION_DENIED', { owner_username: 'ada' });
  });

  it.each(commands)('$type returns not found after the deletion', (command) => {
    given(instance, instanceRequested, instanceStopping, instanceDeleted)
      .when(command)
      .isRefused('RESOURCE_NOT_FOUND', { instance_id: 7 });
  });

  describe('its name and description', () => {
    it('keeps omitted fields', () => {
      const described = (name: string, description: string): InstanceEvent => ({
        type: 'InstanceDescribed',
        data: { ...ofInstance, name, description },
      });
      running.when(describeAs({ name: 'Other' })).happens(described('Other', ''));
      given(instance, instanceRequested, described('Other', 'Mine'))
        .when(describeAs({ description: '' }))
        .happens(described('Other', ''));
    });

    it('the same values are not a change', () => {
      running.when(describeAs({ name: 'My graph' })).changesNothing();
    });
  });

  it('opens and closes it, and repeating that is not a change', () => {
    running.when(share('everyone')).changesNothing();
    running.when(share('users', 'bob', 'carl')).happens(shared('users', 'bob', 'carl'));
    const open = given(instance, instanceRequested, shared('users', 'bob'));
    open.when(share('users', 'bob')).changesNothing();
    open.when(share('users', 'carl')).happens(shared('users', 'carl'));
    open.when(share('owner')).happens(shared('owner'));
  });

  describe('its lifetime', () => {
    it('keeps absent fields and resets null to the default', () => {
      running.when(live({ ttl: 'P2D' })).happens(lifetime('P2D', 'PT4H'));
      running.when(live({ inactivityTimeout: 'PT1H' })).happens(lifetime('PT24H', 'PT1H'));
      given(instance, instanceRequested, lifetime('P2D', 'P1D'))
        .when(live({ ttl: null, inactivityTimeout: null }))
        .happens(lifetime('PT24H', 'PT4H'));
      running.when(live({})).changesNothing();
    });

    it('shortens a kept inactivity to a shorter ttl', () => {
      running.when(live({ ttl: 'PT1H' })).happens(lifetime('PT1H', 'PT1H'));
    });

    it('stays within the limits', () => {
      running.when(live({ ttl: 'P8D' })).isRefused('VALIDATION_FAILED', { requested: 'P8D', max_allowed: 'P7D' });
      running
        .when(live({ inactivityTimeout: 'PT25H' }))
        .isRefused('VALIDATION_FAILED', { field: 'inactivity_timeout', max_allowed: 'PT24H' });
    });
  });

  describe('its size', () => {
    it.each(Object.entries(notRunning))('cannot change while it is %s', (status, history) => {
      history.when(cpu(4)).isRefused('INVALID_STATE', { current_status: status });
      history.when(memory(8)).isRefused('INVALID_STATE', { current_status: status });
    });

    it('is rejected while an algorithm holds the lock of its pod', () => {
      const lock = { holderUsername: 'bob', algorithmName: 'pagerank', executionId: 'e1' };
      for (const command of [cpu(4), memory(8)]) {
        const locked = { ...command, lock } as InstanceCommand;
        running.when(locked).isRefused('RESOURCE_LOCKED', { holder_username: 'bob', algorithm_name: 'pagerank' });
      }
    });

    it('accepts more cores and fewer', () => {
      const updated = (newCpuCores: number): InstanceEvent => ({
        type: 'InstanceCpuUpdated',
        data: { ...ofInstance, oldCpuCores: 2, newCpuCores },
      });
      running.when(cpu(8)).happens(updated(8));
      running.when(cpu(1)).happens(updated(1));
      running.when(cpu(2)).changesNothing();
    });

    it('accepts more memory, but not less', () => {
      running.when(memory(8)).happens(upgraded(4, 8));
      running.when(memory(4)).changesNothing();
      running.when(memory(3)).isRefused('INVALID_STATE', { current_status: 'running', current_memory_gb: 4 });
    });

    it('applies to its next pod', () => {
      const grown = given(instance, instanceRequested, instanceStarting, instanceRunning, upgraded(4, 8));
      const decided = instance.decide({ type: 'RestartInstance', reason: 'restart' }, grown.state(), {
        now: new Date(),
        ...by('system', 'system'),
      });
      expect(decided).toMatchObject({ right: [{ type: 'InstanceRestarting', data: { memoryBytes: 8 * GIB } }] });
    });

    it('is recorded when the pod runtime rejects it', () => {
      running.when({ type: 'RecordResizeFailure', errorMessage: 'no room' }).happens({
        type: 'InstanceResizeFailed',
        data: { ...ofInstance, memoryBytes: 4 * GIB, cpuCores: 2, errorMessage: 'no room' },
      });
    });
  });
});
