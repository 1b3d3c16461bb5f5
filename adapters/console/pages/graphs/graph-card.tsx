import { Card } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type GraphSummary } from '../../api/graphs';
import { FavoriteButton } from '../../kit/favorite-button';
import { age, bytes, cores, until } from '../../kit/format';
import { kindName } from '../../kit/kind-select';
import { StateBadge } from '../../kit/state-badge';

interface GraphCardProps {
  readonly graph: GraphSummary;
  readonly isFavorite: boolean;
  readonly onFavorite: (on: boolean) => void;
}

/** A graph in the list. */
export const GraphCard = ({ graph, isFavorite, onFavorite }: GraphCardProps) => {
  const { id, name, status, wrapper_type, owner_username, created_at, expires_at, error_message } = graph;
  return (
    <Card withBorder component="article" className="graph-card">
      <div className="graph-card-top">
        <h2>
          <Link to="/graphs/$id" params={{ id: String(id) }}>
            <bdi>{name}</bdi>
          </Link>
        </h2>
        <FavoriteButton name={name} isFavorite={isFavorite} onChange={onFavorite} />
      </div>
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
    </Card>
  );
};
