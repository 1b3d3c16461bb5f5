import { type GraphSummary } from '../../api/graphs';
import { age, bytes, cores, until } from '../../kit/format';
import { kindName } from '../../kit/kind-select';
import { StateBadge } from '../../kit/state-badge';

/** The state of a graph in the list. */
export const GraphFacts = ({ graph }: { readonly graph: GraphSummary }) => {
  const { status, wrapper_type, owner_username, created_at, expires_at, error_message } = graph;
  return (
    <>
      <p className="facts">
        <StateBadge status={status} /> <span>{kindName(wrapper_type)}</span> <bdi>{owner_username}</bdi>
      </p>
      {status === 'failed' && (
        <p className="reason">
          <bdi>{error_message ?? 'The start failed without a reason; see the log.'}</bdi>
        </p>
      )}
      <dl className="figures">
        <div>
          <dt>age</dt>
          <dd>{age(created_at)}</dd>
        </div>
        <div>
          <dt>remaining</dt>
          <dd>{expires_at === null ? 'no limit' : until(expires_at)}</dd>
        </div>
        <div>
          <dt>memory</dt>
          <dd>
            {graph.memory_usage_bytes === null ? '–' : bytes(graph.memory_usage_bytes)}
            {graph.memory_gb !== null && ` of ${graph.memory_gb} GB`}
          </dd>
        </div>
        <div>
          <dt>CPU</dt>
          <dd>{cores(graph)}</dd>
        </div>
      </dl>
    </>
  );
};
