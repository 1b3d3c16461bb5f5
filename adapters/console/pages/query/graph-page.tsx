import { Group, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useGraph } from '../../api/graphs';
import { useSession } from '../../api/session-context';
import { Branch } from '../../kit/branch';
import { DialogButton } from '../../kit/dialog-button';
import { bytes, cores, counted, until } from '../../kit/format';
import { GraphTabs } from '../../kit/graph-tabs';
import { kindName } from '../../kit/kind-select';
import { mayChange } from '../../kit/may-change';
import { StateBadge } from '../../kit/state-badge';
import { Loaded, Problem } from '../../kit/view';
import { GraphSettings } from './graph-settings';
import { Timeline } from './timeline';
import { Usage } from './usage';
import { Workbench } from './workbench';

/** One graph: the progress of its start, then its queries. */
export const GraphPage = () => {
  const { id } = useParams({ from: '/graphs/$id' });
  const graph = useGraph(id);
  const session = useSession();
  return (
    <Loaded query={graph} heading={`Graph ${id}`}>
      {(found) => {
        const { name, status, instance_url: url, wrapper_type: kind, expires_at, graph_stats: stats } = found;
        const isOwn = mayChange(session, found.owner_username);
        return (
          <>
            <Group justify="space-between" mb="sm" align="start">
              <div>
                <Title order={1} size="h2">
                  <bdi>{name}</bdi>
                </Title>
                <p className="facts">
                  <StateBadge status={status} />
                  <span>{kindName(kind)}</span>
                  {stats?.node_count != null && stats.edge_count !== null && (
                    <span>
                      {counted(stats.node_count, 'node')}, {counted(stats.edge_count, 'edge')}
                    </span>
                  )}
                  {expires_at !== null && <span>{until(expires_at)} remaining</span>}
                  {found.memory_usage_bytes !== null && (
                    <span>
                      {bytes(found.memory_usage_bytes)}
                      {found.memory_gb !== null && ` of ${found.memory_gb} GB`}
                    </span>
                  )}
                  <span>{cores(found)}</span>
                </p>
              </div>
              {isOwn && (
                <DialogButton label="Settings" title="Settings">
                  {() => <GraphSettings graph={found} />}
                </DialogButton>
              )}
            </Group>
            <GraphTabs id={id} />
            {status === 'running' && <Branch title="Memory and CPU">{() => <Usage graph={found} />}</Branch>}
            {status === 'failed' && (
              <Problem
                title={`The start failed (${found.error_code ?? 'no code'})`}
                error={new Error(found.error_message ?? 'No reason was reported; see the log.')}
              />
            )}
            {status === 'running' && url !== null ? (
              <Workbench instanceId={id} mappingId={found.mapping_id} address={{ kind, url }} />
            ) : (
              status !== 'stopping' && <Timeline id={id} />
            )}
          </>
        );
      }}
    </Loaded>
  );
};
