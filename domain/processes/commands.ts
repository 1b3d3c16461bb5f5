import * as t from 'io-ts';

const onInstance = { instanceId: t.number };

/**
 * The commands of processes: commands on aggregates and calls to the pod runtime. They are stored in the log until they
 * are completed, so their schema is a codec.
 */
export const ProcessCommand = t.union([
  t.strict({ type: t.literal('RequestSnapshot'), ...onInstance }),
  t.strict({ type: t.literal('StartInstance'), ...onInstance, snapshotBytes: t.number }),
  t.strict({ type: t.literal('CreatePod'), ...onInstance }),
  t.strict({ type: t.literal('ResizePod'), ...onInstance }),
  t.strict({ type: t.literal('RecordResizeFailure'), ...onInstance, errorMessage: t.string }),
  t.strict({ type: t.literal('DeletePod'), ...onInstance, urlSlug: t.string }),
  t.strict({
    type: t.literal('FailInstance'),
    ...onInstance,
    errorCode: t.string,
    errorMessage: t.string,
    failedPhase: t.string,
  }),
  t.strict({ type: t.literal('CompleteDeletion'), ...onInstance }),
  t.strict({ type: t.literal('ReleaseSlot'), ...onInstance }),
  t.strict({ type: t.literal('LapseReservation'), ...onInstance }),
  t.strict({ type: t.literal('PlanExportJobs'), snapshotId: t.number }),
  t.strict({ type: t.literal('StartExport'), snapshotId: t.number }),
  t.strict({
    type: t.literal('CompleteSnapshot'),
    snapshotId: t.number,
    sizeBytes: t.number,
    nodeCounts: t.record(t.string, t.number),
    edgeCounts: t.record(t.string, t.number),
  }),
  t.strict({
    type: t.literal('FailSnapshot'),
    snapshotId: t.number,
    errorCode: t.string,
    errorMessage: t.string,
  }),
  /** The snapshot of a deleted instance is unused. */
  t.strict({ type: t.literal('DeleteUnusableSnapshot'), snapshotId: t.number }),
  t.strict({ type: t.literal('DeleteSnapshotFiles'), snapshotId: t.number, storagePath: t.string }),
  t.strict({ type: t.literal('ExpireLease'), jobId: t.number, attempt: t.number, reason: t.string }),
  t.strict({ type: t.literal('FailExportJob'), jobId: t.number, errorCode: t.string, errorMessage: t.string }),
  t.strict({ type: t.literal('CancelExportJob'), jobId: t.number, reason: t.string }),
]);
export type ProcessCommand = t.TypeOf<typeof ProcessCommand>;

/** The command id under which a command of a process is executed, each time the same. */
export const processCommandId = (
  ids: { readonly derivedUuid: (namespace: string, name: string) => string },
  streamId: string,
  queuedRevision: number,
): string => ids.derivedUuid(NAMESPACE, `${streamId}:${queuedRevision}`);

/** Namespace of the command ids of processes (a fixed random UUID). */
const NAMESPACE = '3f1c9a52-6f0e-4d0b-9a44-0f6f7be0c8d1';
