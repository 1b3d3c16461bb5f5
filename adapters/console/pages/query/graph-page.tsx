import { Group, Loader, Timeline as Steps } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useCauses } from '../../api/audit';
import {
  type GraphDetail,
  measuresOf,
  type Progress,
  type SizeChange,
  useGraph,
  useProgress,
  useSizeChanges,
} from '../../api/graphs';
import { useSession } from '../../api/session';
import { DialogButton } from '../../kit/buttons';
import { CauseTree } from '../../kit/cause-tree';
import { age, bytes, cores, counted, duration, until } from '../../kit/format';
import { kindName } from '../../kit/kind-select';
import { LazyChart } from '../../kit/lazy-chart';
import { mayChange } from '../../kit/may-change';
import { ResourceTabs } from '../../kit/resource-tabs';
import { StateBadge } from '../../kit/state-badge';
import { Branch, Loaded, PageTitle, Problem } from '../../kit/view';
import { GraphSettings } from './graph-settings';
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
                <PageTitle>
                  <bdi>{name}</bdi>
                </PageTitle>
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
            <ResourceTabs of="graph" id={id} />
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
              status !== 'stopping' && (
                <>
                  <Timeline id={id} />
                  <Branch title="Causes">{() => <CausesOf id={id} />}</Branch>
                </>
              )
            )}
          </>
        );
      }}
    </Loaded>
  );
};

/** The tree of causes of a start, from the request on. */
const CausesOf = ({ id }: { readonly id: number }) => (
  <section className="panel" aria-label="Causes">
    <Loaded query={useCauses(id)}>{({ tree }) => <CauseTree cause={tree} />}</Loaded>
  </section>
);

type Step = NonNullable<Progress['steps']>[number];

const MARKS: Readonly<Record<Step['status'], string>> = { completed: '✓', failed: '✕', pending: '', in_progress: '' };

/** The steps of a start with the rows of each definition, polled. */
const Timeline = ({ id }: { readonly id: number }) => (
  <section className="panel" aria-label="Start">
    <Loaded query={useProgress(id)}>
      {({ steps = [], elapsed_seconds }) => (
        <>
          <Steps
            aria-live="polite"
            bulletSize={22}
            lineWidth={2}
            active={steps.filter(({ status }) => status === 'completed').length - 1}
          >
            {steps.map(({ name, status, tables = [] }) => (
              <Steps.Item
                key={name}
                title={name.replaceAll('_', ' ')}
                bullet={
                  status === 'in_progress' ? <Loader size={12} role="status" aria-label="in progress" /> : MARKS[status]
                }
              >
                {tables.map((table) => (
                  <Group key={`${table.type} ${table.name}`} gap={12} fz={14} wrap="nowrap">
                    <bdi>{table.name}</bdi>
                    <span className="dimmed">
                      {table.row_count === undefined ? table.status.replace('_', ' ') : counted(table.row_count, 'row')}
                    </span>
                  </Group>
                ))}
              </Steps.Item>
            ))}
          </Steps>
          {elapsed_seconds !== undefined && (
            <p className="dimmed" role="timer">
              {duration(elapsed_seconds * 1000)}
            </p>
          )}
        </>
      )}
    </Loaded>
  </section>
);

/** The usage of a graph since the page was opened, and the changes of its size. */
const Usage = ({ graph: { id, memory_gb, cpu_cores } }: { readonly graph: GraphDetail }) => {
  const [x, memory, cores] = measuresOf(id);
  const common = { x, xName: 'Time', kind: 'line', formatX: clock } as const;
  const most = memory_gb === null ? {} : { most: memory_gb };
  return (
    <>
      {x.length < 2 ? (
        <p className="dimmed">The first measurements of memory and cores appear within a minute.</p>
      ) : (
        <div className="fields">
          <LazyChart {...common} {...most} label="Memory over time" yName="Memory" y={memory} formatY={gigabytes} />
          <LazyChart {...common} most={cpu_cores} label="Cores over time" yName="Cores" y={cores} formatY={String} />
        </div>
      )}
      <Loaded query={useSizeChanges(id)}>
        {({ data }) => (
          <ul className="tree" aria-label="Resizes">
            {data.map((change) => (
              <li key={change.id}>
                {changeText(change)} <span className="dimmed">{age(change.created_at)} ago</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};

const clock = (seconds: number): string => new Date(seconds * 1000).toTimeString().slice(0, 8);
const gigabytes = (gb: number): string => bytes(gb * 2 ** 30);

const changeText = (change: SizeChange): string => {
  switch (change.event_type) {
    case 'cpu_updated':
      return `From ${change.details.old_cpu_cores} to ${change.details.new_cpu_cores} cores`;
    case 'memory_upgraded':
    case 'oom_recovered':
      return `From ${bytes(change.details.old_memory_bytes)} to ${bytes(change.details.new_memory_bytes)} of memory (${change.event_type === 'oom_recovered' ? 'recovered' : change.details.reason.replaceAll('_', ' ')})`;
    case 'resize_failed':
      return change.details.error_message;
  }
};
