import * as t from 'io-ts';
import { oneOf } from '../kernel/codecs';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';
import { InstanceAccess } from './access';

/** Kinds of graph database an instance can run on. */
export const WrapperType = oneOf('graphdb_a', 'graphdb_b');
export type WrapperType = t.TypeOf<typeof WrapperType>;

const ofInstance = { instanceId: t.number, ownerUsername: t.string };
const nullableText = t.union([t.string, t.null]);

const ofPod = {
  ...ofInstance,
  urlSlug: t.string,
  wrapperType: WrapperType,
  memoryBytes: t.number,
  cpuCores: t.number,
  /** Size of the snapshot's files, which the pod stores; 0 if unknown. */
  snapshotBytes: t.number,
  podName: t.string,
  /** Counts the pods of the instance from 1: reports of an earlier pod are ignored. */
  life: t.number,
};

const podEvent = <D>(codec: t.Decoder<unknown, D>) => eventSpec(codec, 2);

export const instanceEvents = {
  InstanceRequested: eventSpec(
    t.strict({
      ...ofInstance,
      /** Unguessable part of the instance's address. */
      urlSlug: t.string,
      /** Id the snapshot will have. */
      snapshotId: t.number,
      mappingId: t.number,
      mappingName: t.string,
      mappingVersion: t.number,
      wrapperType: WrapperType,
      name: t.string,
      description: t.string,
      ttl: nullableText,
      inactivityTimeout: t.string,
      cpuCores: t.number,
      access: InstanceAccess,
    }),
    2,
  ),
  /**
   * The slot of the instance expired before the request was stored; later requests are rejected. The only event of such
   * a stream.
   */
  InstanceAbandoned: eventSpec(t.strict({ instanceId: t.number })),
  /** The snapshot is ready and a pod of this size is to be started. */
  InstanceStarting: eventSpec(t.strict(ofPod), 4),
  /** The pod is to be restarted from the same snapshot, under the same address. */
  InstanceRestarting: {
    schemaVersion: 5,
    codec: t.strict({
      ...ofPod,
      reason: t.string,
      at: t.string,
      /** How the pod ended, if it crashed while it loaded the snapshot. */
      loadingCrash: nullableText,
    }),
    upcasts: { 4: (data: unknown) => Object.assign({ loadingCrash: null }, data) },
  },
  /** The pod has loaded the graph and serves queries. */
  InstanceRunning: podEvent(
    t.strict({
      ...ofInstance,
      /** The address that the pod reported; used only if the control plane does not run pods. */
      instanceUrl: nullableText,
      nodeCount: t.union([t.number, t.null]),
      edgeCount: t.union([t.number, t.null]),
    }),
  ),
  InstanceFailed: eventSpec(
    t.strict({
      ...ofInstance,
      errorCode: t.string,
      errorMessage: t.string,
      failedPhase: nullableText,
      stackTrace: nullableText,
    }),
  ),
  InstanceDescribed: eventSpec(t.strict({ ...ofInstance, name: t.string, description: t.string })),
  InstanceLifetimeChanged: eventSpec(t.strict({ ...ofInstance, ttl: nullableText, inactivityTimeout: t.string })),
  /** The access mode or the listed users changed. */
  InstanceAccessChanged: eventSpec(t.strict({ ...ofInstance, access: InstanceAccess })),
  InstanceCpuUpdated: eventSpec(t.strict({ ...ofInstance, oldCpuCores: t.number, newCpuCores: t.number })),
  InstanceMemoryUpgraded: eventSpec(
    t.strict({ ...ofInstance, oldMemoryBytes: t.number, newMemoryBytes: t.number, reason: t.string }),
  ),
  /** The pod runtime rejected the new size; it applies from the pod's next start. */
  InstanceResizeFailed: eventSpec(
    t.strict({ ...ofInstance, memoryBytes: t.number, cpuCores: t.number, errorMessage: t.string }),
  ),
  /** The instance is restarted with more memory after its pod ran out of memory. */
  InstanceOomRecovered: eventSpec(t.strict({ ...ofInstance, oldMemoryBytes: t.number, newMemoryBytes: t.number })),
  /**
   * The pod is shutting down without an order, for example because its node is drained; the instance restarts when the
   * pod has ended.
   */
  InstanceInterrupted: eventSpec(t.strict({ ...ofInstance, life: t.number })),
  /** Its deletion was requested. */
  InstanceStopping: eventSpec(t.strict({ ...ofInstance, reason: t.string })),
  /** The pod has ended and the record is deleted. */
  InstanceDeleted: eventSpec(t.strict({ ...ofInstance, reason: t.string })),
};

export type InstanceEvent = EventsOf<typeof instanceEvents>;
