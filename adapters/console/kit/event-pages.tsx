import { Button, Group } from '@mantine/core';
import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { type Cause, CauseLine } from './cause-tree';
import { exactText } from './format';
import { RecordTable } from './record-table';
import { Branch, Loaded } from './view';

interface TrailEvent {
  readonly event_id: string;
  readonly type: string;
  readonly recorded_at: string;
  readonly actor: string;
  readonly correlation_id: string;
  readonly data?: unknown;
}

interface EventPagesProps<E extends TrailEvent> {
  readonly label: string;
  readonly trail: UseQueryResult<{ readonly data: readonly E[]; readonly nextCursor?: string | null | undefined }>;
  /** Absent: the newest page. */
  readonly cursor: string | undefined;
  readonly onPage: (cursor: string | undefined) => void;
  /** The causes of an event, from the request on; empty: only its request. */
  readonly useCausesOf: (event: E) => UseQueryResult<readonly Cause[]>;
  /** Further columns after the type of the event. */
  readonly columns?: Readonly<Record<string, (event: E) => ReactNode>>;
}

/** Pages of events, newest first; a row opens the data and the causes of its event. */
export const EventPages = <E extends TrailEvent>(props: EventPagesProps<E>) => {
  const { label, trail, cursor, onPage, useCausesOf, columns = {} } = props;
  return (
    <Loaded query={trail}>
      {({ data: events, nextCursor }) => (
        <>
          <RecordTable
            label={label}
            rows={events}
            keyOf={({ event_id }) => event_id}
            columns={{
              recorded: ({ recorded_at }) => recorded_at,
              event: ({ type }) => type,
              ...columns,
              actor: ({ actor }) => actor,
              details: (event) => (
                <Branch title={`Data and causes of ${event.type}`}>
                  {() => (
                    <>
                      <pre>{exactText(event.data, 2)}</pre>
                      <CausesOf event={event} useCausesOf={useCausesOf} />
                    </>
                  )}
                </Branch>
              ),
            }}
            empty={nextCursor == null ? 'No events.' : 'None of these events match; older ones may.'}
          />
          <Group gap="sm">
            {cursor !== undefined && (
              <Button variant="default" onClick={() => onPage(undefined)}>
                Newest
              </Button>
            )}
            {nextCursor != null && (
              <Button variant="default" onClick={() => onPage(nextCursor)}>
                Older
              </Button>
            )}
          </Group>
        </>
      )}
    </Loaded>
  );
};

const CausesOf = <E extends TrailEvent>({
  event,
  useCausesOf,
}: { readonly event: E } & Pick<EventPagesProps<E>, 'useCausesOf'>) => (
  <section aria-label={`Causes of ${event.type}`}>
    <Loaded query={useCausesOf(event)}>
      {(causes) => (
        <ol>
          {causes.map((cause) => (
            <li key={cause.event_id}>
              <CauseLine cause={cause} />
            </li>
          ))}
          {causes.length === 0 && <li>Request {event.correlation_id}</li>}
        </ol>
      )}
    </Loaded>
  </section>
);
