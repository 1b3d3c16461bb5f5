import { isLeft, left, right } from 'fp-ts/Either';
import { stillStopping } from '../../../../commands/cleanup/delete-resource';
import { changeInstanceAccess } from '../../../../commands/instance/change-access';
import { changeInstance, changeInstanceLifetime } from '../../../../commands/instance/change-instance';
import { requestInstance } from '../../../../commands/instance/request-instance';
import { type NewSize, resizeInstance } from '../../../../commands/instance/resize-instance';
import { FOR_EVERYONE, GIB } from '../../../../domain/instance';
import { durationMs } from '../../../../domain/kernel/codecs';
import { domainError, invalidField, notFound } from '../../../../domain/kernel/errors';
import { readConfig } from '../../../../queries/config';
import { listInstanceEvents, readInstanceEvents } from '../../../../queries/instance-events';
import { findInstance, listCountedInstances, listInstances } from '../../../../queries/instances';
import { isVisible } from '../../../../queries/visible-instances';
import { readAsOf } from '../as-of/as-of';
import { ofInstance } from '../as-of/resource-streams';
import { replyChange, replyPage } from '../codecs';
import { type ApiCaller, type PublicHandlers, type ResourceDependencies } from '../public-dependencies';
import { type instanceChangeEndpoints, type instanceEndpoints, KINDS } from './endpoints';
import { progressStream } from './progress-stream';
import { progressOf, readProgress } from './progress-view';
import { untilInstanceIsGone } from './until-instance-is-gone';

const DEFAULT_CPU_CORES = 2;

type Operations = PublicHandlers<typeof instanceEndpoints>;

export const instanceHandlers = (deps: ResourceDependencies): Operations => {
  const isGone = untilInstanceIsGone(deps);

  return {
    listInstances: ({ query, identity }) =>
      replyPage(query, (page) => listInstances(deps.db, identity, query, page, deps.instanceBaseUrl)),

    createInstance: createInstance(deps),

    getInstance: ({ params: { id }, query: { as_of }, identity }) =>
      readAsOf(deps, as_of, identity, ofInstance(id), async (source) => {
        const instance = await findInstance(source.db, source.viewer, id, deps.instanceBaseUrl);
        if (instance === null) return left(notFound('instance', id));
        const { ready_at: _readyAt, reported_progress: _reported, ...view } = instance;
        return right({ body: { ...view, progress: await progressOf(source, instance) } });
      }),

    getInstanceProgress: async ({ params, identity, wantsEvents, header }) => {
      if (wantsEvents) return progressStream(deps, params.id, identity, header('Last-Event-ID'));
      const progress = await readProgress(deps, params.id, identity);
      return progress === null ? left(notFound('instance', params.id)) : right({ body: progress });
    },

    deleteInstance: async ({ params, identity }) => {
      const command = { type: 'RequestDeletion', reason: `deleted by ${identity.username}` } as const;
      const requested = await changeInstance(deps.ports, params.id, command, identity.context);
      if (isLeft(requested)) return requested;
      return (await isGone(params.id))
        ? right({ body: undefined, position: requested.right.position })
        : left(stillStopping(params.id));
    },
  };
};

/** Replies before the snapshot is exported; the export and the start continue in the background. */
const createInstance =
  (deps: ResourceDependencies): Operations['createInstance'] =>
  async ({ body, identity }) => {
    const { ports, changeCapacity } = deps;
    const wrapperType = KINDS[body.wrapper_type];
    const reason = deps.podRuntime.unsupportedReason(wrapperType);
    if (reason !== null) return left(invalidField('wrapper_type', reason));
    const requested = await requestInstance(
      { ...ports, changeCapacity },
      {
        mappingId: body.mapping_id,
        mappingVersion: body.mapping_version ?? null,
        wrapperType,
        name: body.name,
        description: body.description ?? '',
        ttl: body.ttl ?? null,
        inactivityTimeout: body.inactivity_timeout ?? null,
        cpuCores: body.cpu_cores ?? DEFAULT_CPU_CORES,
        access: body.access === undefined ? FOR_EVERYONE : { users: [], ...body.access },
      },
      identity.context,
    );
    if (isLeft(requested)) return requested;
    const { state, position, occurredAt } = requested.right;
    if (state === null) return left(domainError('INTERNAL_ERROR', 'The instance was requested but has no state.'));
    const ttlMs = state.ttl === null ? null : durationMs(state.ttl);
    return right({
      position,
      body: {
        id: state.instanceId,
        snapshot_id: null,
        wrapper_type: state.wrapperType,
        name: state.name,
        status: 'waiting_for_snapshot' as const,
        created_at: occurredAt,
        ttl: state.ttl,
        inactivity_timeout: state.inactivityTimeout,
        expires_at: ttlMs === null ? null : new Date(Date.parse(occurredAt) + ttlMs).toISOString(),
      },
    });
  };

export const instanceChangeHandlers = (deps: ResourceDependencies): PublicHandlers<typeof instanceChangeEndpoints> => {
  const resize = (id: number, size: NewSize, { context }: ApiCaller) =>
    resizeInstance({ ...deps.ports, podClient: deps.podClient, podRuntime: deps.podRuntime }, id, size, context);

  return {
    getUserInstanceStatus: async ({ identity: { username } }) => {
      const instances = await listCountedInstances(deps.db, username);
      const { perAnalyst: instance_limit } = (await readConfig(deps.db, 'concurrency')).value;
      const [active_instances, free] = [instances.length, instance_limit - instances.length];
      return right({
        body: { username, active_instances, instance_limit, instances_available: Math.max(0, free), instances },
      });
    },

    updateInstance: async ({ params, body, identity }) => {
      if (body.name === undefined && body.description === undefined) {
        return left(invalidField('body', 'must have a name or a description'));
      }
      const command = { type: 'DescribeInstance', ...body } as const;
      const changed = await changeInstance(deps.ports, params.id, command, identity.context);
      return replyChange(changed, 'instance', params.id, ({ name, description }) => ({ name, description }));
    },

    updateInstanceLifecycle: async ({ params, body, identity }) => {
      const requested = { ttl: body.ttl, inactivityTimeout: body.inactivity_timeout };
      const changed = await changeInstanceLifetime(deps.ports, params.id, requested, identity.context);
      return replyChange(changed, 'instance', params.id, ({ ttl, inactivityTimeout: inactivity_timeout }) => {
        return { ttl, inactivity_timeout };
      });
    },

    updateInstanceCpu: async ({ params, body, identity }) => {
      const changed = await resize(params.id, { cpuCores: body.cpu_cores }, identity);
      return replyChange(changed, 'instance', params.id, ({ cpuCores, takesEffect }) => ({
        cpu_cores: cpuCores,
        takes_effect: takesEffect,
      }));
    },

    updateInstanceMemory: async ({ params, body, identity }) => {
      const size = { memoryBytes: body.memory_gb * GIB, reason: 'user_request' };
      const changed = await resize(params.id, size, identity);
      return replyChange(changed, 'instance', params.id, ({ memoryBytes, takesEffect }) => ({
        memory_gb: memoryBytes / GIB,
        takes_effect: takesEffect,
      }));
    },

    updateInstanceAccess: async ({ params, body, identity }) => {
      const access = { mode: body.mode, users: body.users ?? [] };
      const changed = await changeInstanceAccess(deps.ports, params.id, access, identity.context);
      return replyChange(changed, 'instance', params.id, ({ access }) => ({ access }));
    },

    listInstanceEvents: async ({ params, query, identity }) => {
      if (!(await isVisible(deps.db, params.id, identity))) return left(notFound('instance', params.id));
      const events = await readInstanceEvents(deps.ports.store, params.id);
      if (isLeft(events)) return events;
      return replyPage(query, (page) => listInstanceEvents(deps.db, events.right, query, page));
    },
  };
};
