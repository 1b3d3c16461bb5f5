import { isLeft, left, right } from 'fp-ts/Either';
import { type JobType } from '../../domain/export-job';
import { domainError, notFound } from '../../domain/kernel/errors';
import { edgeColumns, type Mapping, mappingStream, type MappingVersion, nodeColumns } from '../../domain/mapping';
import { snapshotStream } from '../../domain/snapshot';
import { mappings, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import { type CommandResult } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';
import { changeExportJob } from './change-export-job';

/** The mapping version of an instance. */
export const loadMappingVersion = async (
  ports: CommandPorts,
  mappingId: number,
  version: number,
): CommandResult<MappingVersion & Pick<Mapping, 'ownerUsername'>, 'MAPPING_VERSION_NOT_FOUND'> => {
  const loaded = await loadStream(ports, mappings, mappingStream(mappingId));
  if (isLeft(loaded)) return loaded;
  const mapping = loaded.right.state;
  const found = mapping?.versions[version - 1];
  const message = `Mapping ${mappingId} has no version ${version} any more.`;
  if (mapping === null || found === undefined) return left(domainError('MAPPING_VERSION_NOT_FOUND', message));
  return right({ ...found, ownerUsername: mapping.ownerUsername });
};

/** The definition of a mapping version that one job exports. */
export interface Entity {
  readonly jobType: JobType;
  readonly entityName: string;
}

export const isSame = (a: Entity) => (b: Entity) => a.jobType === b.jobType && a.entityName === b.entityName;

/** The jobs that export a version: one per definition. */
export const entitiesOf = ({ nodeDefinitions, edgeDefinitions }: MappingVersion) => [
  ...nodeDefinitions.map((node) => ({
    ...{ jobType: 'node' as const, entityName: node.label, sql: node.sql, columnNames: nodeColumns(node) },
  })),
  ...edgeDefinitions.map((edge) => ({
    ...{ jobType: 'edge' as const, entityName: edge.type, sql: edge.sql, columnNames: edgeColumns(edge) },
  })),
];

/** Creates the jobs that a snapshot names, each once. */
export const planExportJobs = async (
  ports: CommandPorts,
  snapshotId: number,
  context: CommandContext,
): CommandResult<unknown, 'RESOURCE_NOT_FOUND' | 'MAPPING_VERSION_NOT_FOUND' | 'INVALID_STATE_TRANSITION'> => {
  const loaded = await loadStream(ports, snapshots, snapshotStream(snapshotId));
  if (isLeft(loaded)) return loaded;
  const snapshot = loaded.right.state;
  if (snapshot === null) return left(notFound('snapshot', snapshotId));
  if (snapshot.status === 'failed') return right(undefined);
  const version = await loadMappingVersion(ports, snapshot.mappingId, snapshot.mappingVersion);
  if (isLeft(version)) return version;
  const entities = entitiesOf(version.right);
  const plans = snapshot.jobs.map((job) => {
    const { jobId, jobType, entityName } = job;
    const { sql = '', columnNames = [] } = entities.find(isSame(job)) ?? {};
    const submitted = snapshot.submittedJobs?.find((one) => one.jobId === jobId);
    return {
      type: 'PlanExportJob' as const,
      jobId,
      snapshotId,
      instanceId: snapshot.instanceId,
      ownerUsername: snapshot.ownerUsername,
      mappingOwner: version.right.ownerUsername,
      jobType,
      entityName,
      sql,
      columnNames,
      catalog: null,
      storagePath: submitted?.storagePath ?? `${snapshot.storagePath}${jobType}s/${entityName}/`,
      ...(submitted?.query == null ? {} : { submitted: submitted.query }),
    };
  });
  const results = await Promise.all(
    plans.map((plan) =>
      changeExportJob(ports, plan.jobId, plan, contextOfPart(ports.ids, context, `plan:${plan.jobId}`)),
    ),
  );
  return results.find(isLeft) ?? right(undefined);
};
