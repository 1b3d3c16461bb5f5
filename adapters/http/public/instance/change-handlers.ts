import { isLeft, left, right } from 'fp-ts/Either';
import { changeInstanceAccess } from '../../../../commands/instance/change-access';
import { changeInstance, changeInstanceLifetime } from '../../../../commands/instance/change-instance';
import { type NewSize, resizeInstance } from '../../../../commands/instance/resize-instance';
import { GIB } from '../../../../domain/instance';
import { invalidField, notFound } from '../../../../domain/kernel/errors';
import { readConfig } from '../../../../queries/config';
import { listInstanceEvents } from '../../../../queries/instance-events';
import { listCountedInstances } from '../../../../queries/instances';
import { isVisible } from '../../../../queries/visible-instances';
import { pageOf, replyChange } from '../codecs';
import { type instanceChangeEndpoints } from './change-endpoints';
import { type ApiCaller, type PublicDependencies, type PublicHandlers } from '../public-dependencies';

export const instanceChangeHandlers = (deps: PublicDependencies): PublicHandlers<typeof instanceChangeEndpoints> => {
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
      const asked = { ttl: body.ttl, inactivityTimeout: body.inactivity_timeout };
      const changed = await changeInstanceLifetime(deps.ports, params.id, asked, identity.context);
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
      const page = pageOf(query);
      if (!(await isVisible(deps.db, params.id, identity))) return left(notFound('instance', params.id));
      const listed = await listInstanceEvents(deps.ports.store, params.id, query, page);
      if (isLeft(listed)) return listed;
      return right({ body: listed.right.items, page: { total: listed.right.total, ...page } });
    },
  };
};
