import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { changeInstance } from '../../../../commands/instance/change-instance';
import { requestContext } from '../../../../commands/kit/command-context';
import { type JobType } from '../../../../domain/export-job';
import { type StatusReport } from '../../../../domain/instance';
import { type DomainError, domainError, notFound } from '../../../../domain/kernel/errors';
import { findInstanceMapping } from '../../../../queries/instance-mapping';
import { type ReadDatabase } from '../../../../queries/kit/database';
import { findSnapshotFiles } from '../../../../queries/snapshot-files';
import { findUser } from '../../../../queries/users';
import { type FilePage } from '../../../../queries/views/snapshot';
import { findInstanceWithAccess } from '../../../../queries/visible-instances';
import { type StatusReportBody } from '../../../contracts/graph-pod/reports';
import { type HandlerResult, type Handlers } from '../../kit';
import { type InternalDependencies } from '../internal-dependencies';
import { type Component } from '../service-token';
import { type instanceEndpoints } from './endpoints';

const UPDATED = { body: { updated: true as const } };

export const instanceHandlers = (deps: InternalDependencies): Handlers<typeof instanceEndpoints, Component> => ({
  reportInstanceStatus: async ({ params, body, identity, requestId }) => {
    const own = onlyOwn(identity, params.id);
    if (isLeft(own)) return own;
    const actor = { username: `system:pod-${params.id}`, role: 'system' } as const;
    const context = requestContext(deps.ports.ids, actor, requestId);
    const report = reportOf(body, deps.instanceBaseUrl === null);
    const command = { type: 'ReportStatus', life: own.right.life, report } as const;
    const handled = await changeInstance(deps.ports, params.id, command, context);
    if (!isLeft(handled) && body.status === 'running') void deps.onRunning?.(params.id, body.loading_seconds);
    return isLeft(handled) ? handled : right({ ...UPDATED, position: handled.right.position });
  },

  reportInstanceMetrics: ({ params, body, identity }) => {
    const { last_activity_at: lastActivity, avg_query_time_ms: average, ...rest } = body;
    const metrics = {
      ...rest,
      ...(rest.memory_usage_bytes === undefined ? {} : { measured_at: deps.ports.clock.now().toISOString() }),
      ...(lastActivity == null ? {} : { last_activity_at: lastActivity }),
      ...(average == null ? {} : { avg_query_time_ms: average }),
    };
    return keepReport(deps.db, identity, params.id, UPDATED, () => deps.telemetry.saveMetrics(params.id, metrics));
  },

  reportInstanceProgress: ({ params, body, identity }) =>
    keepReport(deps.db, identity, params.id, UPDATED, (life) =>
      deps.telemetry.saveProgress(params.id, { ...body, life }),
    ),

  getRequestKey: ({ params, identity }) => requestKeyOf(deps, identity, params.id),

  getInstanceMapping: async ({ params, identity }) => {
    const own = await onlyCurrent(deps.db, identity, params.id);
    if (isLeft(own)) return own;
    const mapping = await findInstanceMapping(deps.db, params.id);
    if (mapping === null) return left(notFound('instance', params.id));
    return right({ body: mapping });
  },

  listInstanceFiles: ({ params, query, identity }) => listFiles(deps, identity, params.id, query),

  reportInstanceActivity: ({ params, identity }) => {
    const metrics = { last_activity_at: deps.ports.clock.now().toISOString() };
    const save = (): Promise<void> => deps.telemetry.saveMetrics(params.id, metrics);
    return keepReport(deps.db, identity, params.id, { body: undefined }, save);
  },

  authorizeCaller: ({ params, identity, header }) => authorize(deps, identity, params.slug, header('X-Username')),
});

const authorize = async (deps: InternalDependencies, identity: Component, slug: string, username?: string) => {
  const instance = await findInstanceWithAccess(deps.db, { url_slug: slug });
  if (instance === null) return left(notFound('instance', slug));
  const own = onlyOwn(identity, instance.id);
  if (isLeft(own)) return own;
  if (username === undefined) return left(domainError('UNAUTHORIZED', 'Name the caller in X-Username.'));
  const user = await findUser(deps.db, username);
  const active = user !== null && user.is_active;
  const allowed = active && (user.role !== 'analyst' || username === instance.ownerUsername);
  return right({
    body: { allowed, username, role: active ? user.role : null, owner_username: instance.ownerUsername },
  });
};

const requestKeyOf = async (deps: InternalDependencies, identity: Component, instanceId: number) => {
  const own = await onlyCurrent(deps.db, identity, instanceId);
  if (isLeft(own)) return own;
  return right({ body: { request_key: deps.requestKeyOf({ instanceId, life: own.right.life ?? 0 }) } });
};

type FilesRefusal = 'PERMISSION_DENIED' | 'INVALID_STATE' | 'RESOURCE_NOT_FOUND' | 'SERVICE_UNAVAILABLE';

const listFiles = async (
  { db, objectStore }: InternalDependencies,
  identity: Component,
  id: number,
  {
    job_type: jobType,
    name,
    after = 0,
  }: { readonly job_type: JobType; readonly name: string; readonly after?: number },
): HandlerResult<FilePage, FilesRefusal> => {
  const own = await onlyCurrent(db, identity, id);
  if (isLeft(own)) return own;
  const mapping = await findInstanceMapping(db, id);
  if (mapping === null) return left(notFound('instance', id));
  const page = await findSnapshotFiles(objectStore, `${mapping.storage_path}${jobType}s/${name}/`, after);
  return isLeft(page) ? page : right({ body: page.right });
};

/** Saves the report of a pod for its own instance; that of a pod before the last one ordered is ignored. */
const keepReport = async <R>(
  db: ReadDatabase,
  identity: Component,
  id: number,
  reply: R,
  save: (life: number | null) => Promise<void>,
): Promise<Either<NotAllowed | DomainError<'RESOURCE_NOT_FOUND'>, R>> => {
  const own = onlyOwn(identity, id);
  if (isLeft(own)) return own;
  const instance = await findInstanceWithAccess(db, { id });
  if (instance === null) return left(notFound('instance', id));
  const { life } = own.right;
  if ((life ?? Infinity) >= (instance.podLife ?? 0)) await save(life);
  return right(reply);
};

type Pod = Extract<Component, { kind: 'wrapper' }>;
type NotAllowed = DomainError<'PERMISSION_DENIED'>;

const onlyOwn = (identity: Component, instanceId: number): Either<NotAllowed, Pick<Pod, 'life'>> =>
  identity.kind === 'wrapper' && identity.instanceId === instanceId
    ? right(identity)
    : left(domainError('PERMISSION_DENIED', `This token is not for instance ${instanceId}.`));

/** The same, but not for a pod before the last one ordered: what it gets would outlive its replacement. */
const onlyCurrent = async (
  db: ReadDatabase,
  identity: Component,
  instanceId: number,
): Promise<Either<NotAllowed, Pick<Pod, 'life'>>> => {
  const own = onlyOwn(identity, instanceId);
  if (isLeft(own) || own.right.life === null) return own;
  const podLife = (await findInstanceWithAccess(db, { id: instanceId }))?.podLife ?? 0;
  if (own.right.life >= podLife) return own;
  const message = `This token is for pod ${own.right.life} of instance ${instanceId}, which pod ${podLife} has replaced.`;
  return left(domainError('PERMISSION_DENIED', message));
};

/** `keepsUrl`: the reported address is stored because the control plane cannot derive it. */
const reportOf = (body: StatusReportBody, keepsUrl: boolean): StatusReport => {
  switch (body.status) {
    case 'starting':
    case 'stopping':
      return { status: body.status };
    case 'running':
      return {
        status: 'running',
        instanceUrl: keepsUrl ? (body.instance_url ?? null) : null,
        nodeCount: body.graph_stats?.node_count ?? null,
        edgeCount: body.graph_stats?.edge_count ?? null,
      };
    case 'failed':
      return {
        status: 'failed',
        errorCode: body.error_code ?? 'STARTUP_FAILED',
        errorMessage: body.error_message ?? 'The pod gave no reason.',
        failedPhase: body.failed_phase ?? null,
        stackTrace: body.stack_trace ?? null,
      };
  }
};
