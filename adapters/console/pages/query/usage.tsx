import { type GraphDetail, type SizeChange, useSizeChanges } from '../../api/graphs';
import { measuresOf } from '../../api/measures';
import { age, bytes } from '../../kit/format';
import { LazyChart } from '../../kit/lazy-chart';
import { Loaded } from '../../kit/view';

/** The usage of a graph since the page was opened, and the changes of its size. */
export const Usage = ({ graph: { id, memory_gb, cpu_cores } }: { readonly graph: GraphDetail }) => {
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
