import { duration } from './format';

export interface Cause {
  readonly event_id: string;
  readonly type: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly actor: string;
  readonly ms_after_cause: number;
  readonly children: readonly Cause[];
}

/** An event after its time since its cause. */
export const CauseLine = ({ cause }: { readonly cause: Omit<Cause, 'children'> }) => (
  <>
    {cause.type} <span className="dimmed">{`${cause.resource_type.replace('_', ' ')} ${cause.resource_id}`}</span>{' '}
    <bdi className="dimmed">{cause.actor}</bdi> <span className="dimmed">+{duration(cause.ms_after_cause)}</span>
  </>
);

/** An event with the events that it caused. */
export const CauseTree = ({ cause }: { readonly cause: Cause }) => (
  <>
    <CauseLine cause={cause} />
    {cause.children.length > 0 && (
      <ul>
        {cause.children.map((child) => (
          <li key={child.event_id}>
            <CauseTree cause={child} />
          </li>
        ))}
      </ul>
    )}
  </>
);
