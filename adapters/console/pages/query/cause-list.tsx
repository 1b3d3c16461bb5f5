import { type Causes } from '../../api/audit';
import { duration } from '../../kit/format';

/** An event with the events that it caused, each after its time since the cause. */
export const CauseList = ({ cause }: { readonly cause: Causes }) => (
  <>
    {cause.type} <span className="dimmed">{`${cause.resource_type.replace('_', ' ')} ${cause.resource_id}`}</span>{' '}
    <bdi className="dimmed">{cause.actor}</bdi> <span className="dimmed">+{duration(cause.ms_after_cause)}</span>
    {cause.children.length > 0 && (
      <ul>
        {cause.children.map((child) => (
          <li key={child.event_id}>
            <CauseList cause={child} />
          </li>
        ))}
      </ul>
    )}
  </>
);
