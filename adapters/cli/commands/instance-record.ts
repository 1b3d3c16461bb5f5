import { type ResultOf } from '../../client';
import { type InstanceAccess } from '../../../domain/instance';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type Output, recordOf } from '../output';

/** One instance, without the fields that have nothing to tell. */
export const instanceRecord = (instance: ResultOf<typeof publicEndpoints.getInstance>): Output['record'] =>
  recordOf(instance, {
    id: 'id',
    name: 'name',
    description: ({ description }) => unlessEmpty(description),
    status: 'status',
    error: ({ error_code, error_message }) => unlessEmpty(error_code && `${error_code}: ${error_message ?? ''}`),
    'failed in': ({ failed_phase }) => unlessEmpty(failed_phase),
    owner: 'owner_username',
    access: ({ access }) => accessText(access),
    mapping: (one) => `${one.mapping_id} ${one.mapping_name}, version ${one.mapping_version}`,
    kind: 'wrapper_type',
    graph: ({ graph_stats }) => graphText(graph_stats),
    address: 'instance_url',
    size: ({ cpu_cores, memory_gb }) => `${cpu_cores} cores${memory_gb === null ? '' : `, ${memory_gb} GB`}`,
    memory: ({ memory_usage_bytes }) => unlessEmpty(megabytes(memory_usage_bytes)),
    disk: ({ disk_usage_bytes }) => unlessEmpty(megabytes(disk_usage_bytes)),
    created: 'created_at',
    'last use': 'last_activity_at',
    expires: ({ expires_at }) => expires_at ?? 'never',
    inactivity: 'inactivity_timeout',
  });

/** Who gets in. Admins and ops always do. */
export const accessText = ({ mode, users }: InstanceAccess): string => {
  if (mode === 'everyone') return 'everyone';
  return mode === 'owner' || users.length === 0 ? 'its owner alone' : `its owner and ${users.join(', ')}`;
};

const unlessEmpty = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text);

const graphText = (stats: { readonly node_count: number | null; readonly edge_count: number | null } | null): string =>
  stats === null ? 'not loaded' : `${stats.node_count ?? '?'} nodes, ${stats.edge_count ?? '?'} edges`;

export const megabytes = (bytes: number | null): string =>
  bytes === null ? '' : `${Math.round(bytes / 1024 / 1024)} MB`;
