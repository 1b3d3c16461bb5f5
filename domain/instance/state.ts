import type * as t from 'io-ts';
import { oneOf } from '../kernel/codecs';
import { FOR_EVERYONE } from './access';
import { type InstanceEvent } from './events';

type Requested = Extract<InstanceEvent, { type: 'InstanceRequested' }>['data'];

/** The statuses that queries return; deleted instances are not returned. */
export const LiveStatus = oneOf('waiting_for_snapshot', 'starting', 'running', 'stopping', 'failed');
export type LiveStatus = t.TypeOf<typeof LiveStatus>;
export type InstanceStatus = LiveStatus | 'deleted';

export interface Instance extends Requested {
  readonly status: InstanceStatus;
  /** 0 until the size of the pod is known. */
  readonly memoryBytes: number;
  /** Size of the files of its snapshot; 0 until it is known. */
  readonly snapshotBytes: number;
  /** The address that its pod reported; used only if the control plane does not run pods. */
  readonly reportedUrl: string | null;
  /** Null: no deletion was requested; an instance that is `stopping` restarts when its pod has ended. */
  readonly stopReason: string | null;
  /** The life of the latest pod; 0 before the first one. */
  readonly life: number;
  /** The times of its latest restarts for a lost pod, at most `MAX_RECOVERIES`. */
  readonly recoveredAt: readonly string[];
  /** How its latest pod that crashed while loading ended; null once a pod has loaded the snapshot. */
  readonly loadingCrash: string | null;
  /** Its one restart with more memory after it ran out of memory; null: not used yet. */
  readonly oomRestart: { readonly oldMemoryBytes: number; readonly recovered: boolean } | null;
}

/** Reason of the one restart with twice the memory. */
export const OOM_RECOVERY = 'oom_recovery';
/** Reason of a restart after the pod was stopped or went missing. */
export const POD_LOST = 'pod_lost';
/** An instance whose pod is lost more often within an hour fails. */
export const MAX_RECOVERIES = 3;

/** The instance after an event; null before its first one. */
export const evolveInstance = (state: Instance | null, event: InstanceEvent): Instance | null => {
  if (event.type === 'InstanceRequested') {
    return { ...event.data, ...WITHOUT_POD, status: 'waiting_for_snapshot' };
  }
  if (event.type === 'InstanceAbandoned') return { ...NEVER_REQUESTED, instanceId: event.data.instanceId };
  if (state === null) return null;
  switch (event.type) {
    case 'InstanceStarting': {
      const { memoryBytes, snapshotBytes, life } = event.data;
      return { ...state, status: 'starting', memoryBytes, snapshotBytes, life };
    }
    case 'InstanceRestarting': {
      const { memoryBytes, life, reason, at } = event.data;
      const recoveredAt = reason === POD_LOST ? [...state.recoveredAt, at].slice(-MAX_RECOVERIES) : state.recoveredAt;
      const loadingCrash = event.data.loadingCrash ?? state.loadingCrash;
      return { ...state, status: 'starting', memoryBytes, life, recoveredAt, loadingCrash };
    }
    case 'InstanceInterrupted':
      return { ...state, status: 'stopping' };
    case 'InstanceRunning':
      return {
        ...state,
        status: 'running',
        reportedUrl: event.data.instanceUrl ?? state.reportedUrl,
        loadingCrash: null,
      };
    case 'InstanceFailed':
      return { ...state, status: 'failed' };
    case 'InstanceStopping':
      return { ...state, status: 'stopping', stopReason: event.data.reason };
    case 'InstanceDeleted':
      return { ...state, status: 'deleted' };
    case 'InstanceDescribed':
    case 'InstanceLifetimeChanged':
    case 'InstanceAccessChanged':
      return { ...state, ...event.data };
    case 'InstanceCpuUpdated':
      return { ...state, cpuCores: event.data.newCpuCores };
    case 'InstanceMemoryUpgraded': {
      const { oldMemoryBytes, newMemoryBytes, reason } = event.data;
      const oomRestart = reason === OOM_RECOVERY ? { oldMemoryBytes, recovered: false } : state.oomRestart;
      return { ...state, memoryBytes: newMemoryBytes, oomRestart };
    }
    case 'InstanceOomRecovered': {
      const { oldMemoryBytes } = event.data;
      return { ...state, oomRestart: { oldMemoryBytes, recovered: true } };
    }
    case 'InstanceResizeFailed':
      return state;
  }
};

/** An instance that restarts is also `stopping` while its pod ends. */
export const isBeingDeleted = ({ status, stopReason }: Instance): boolean =>
  status === 'stopping' && stopReason !== null;

const STATUS_EVENTS: ReadonlySet<string> = new Set<InstanceEvent['type']>([
  'InstanceRequested',
  'InstanceStarting',
  'InstanceRestarting',
  'InstanceRunning',
  'InstanceFailed',
  'InstanceInterrupted',
  'InstanceStopping',
  'InstanceDeleted',
]);
/** Whether an event changes the status of an instance. */
export const changesStatus = ({ type }: InstanceEvent): boolean => STATUS_EVENTS.has(type);

const WITHOUT_POD = {
  memoryBytes: 0,
  snapshotBytes: 0,
  reportedUrl: null,
  stopReason: null,
  life: 0,
  recoveredAt: [],
  loadingCrash: null,
  oomRestart: null,
};

/** The state of an instance whose slot expired before it was requested. */
const NEVER_REQUESTED: Omit<Instance, 'instanceId'> = {
  ownerUsername: '',
  urlSlug: '',
  snapshotId: 0,
  mappingId: 0,
  mappingName: '',
  mappingVersion: 0,
  wrapperType: 'graphdb_a',
  name: '',
  description: '',
  ttl: null,
  inactivityTimeout: '',
  cpuCores: 0,
  access: FOR_EVERYONE,
  ...WITHOUT_POD,
  status: 'deleted',
};
