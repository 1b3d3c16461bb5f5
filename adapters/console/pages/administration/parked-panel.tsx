import { useState } from 'react';
import { type ParkedEvent, useParkedEvents } from '../../api/administration';
import { need } from '../../api/failure';
import { useChange } from '../../api/graphs';
import { age } from '../../kit/format';
import { Records } from '../../kit/record-table';
import { Outcome, ReasonField, RowButton } from './controls';

/** Events that could not be applied, with buttons to retry or skip them. */
export const ParkedPanel = () => {
  const parked = useParkedEvents();
  const [reason, setReason] = useState('');
  const isDisabled = reason.trim() === '';
  /** With a position: skips the event at it. */
  const order = useChange(async (api, { position, ...stream }: Stream & { readonly position?: string }) => {
    const body = { ...stream, reason };
    const { applied, remaining, error } = await (position === undefined
      ? need(api.retryParkedEvents({ body }))
      : need(api.skipParkedEvent({ body: { ...body, position } })));
    return `Applied: ${applied}; still parked: ${remaining}. ${error ?? ''}`;
  });
  const actionsOf = ({ reader, stream_id, position }: ParkedEvent) => {
    const [of, stream] = [`${stream_id} for ${reader}`, { reader, stream_id }];
    return (
      <>
        <RowButton text="Retry" of={of} isDisabled={isDisabled} onClick={() => order.mutate(stream)} />
        <RowButton
          text="Skip"
          confirm="Skip permanently"
          of={of}
          isDisabled={isDisabled}
          onClick={() => order.mutate({ ...stream, position })}
        />
      </>
    );
  };
  return (
    <>
      <ReasonField value={reason} onChange={setReason} />
      <Outcome change={order} />
      <Records
        query={parked}
        label="Parked events"
        keyOf={({ reader, position }) => `${reader} ${position}`}
        columns={{
          reader: ({ reader }) => reader,
          stream: ({ stream_id }) => stream_id,
          position: ({ position }) => position,
          event: ({ event_type }) => event_type,
          error: ({ error }) => error ?? 'blocked by an earlier event',
          attempts: ({ attempts }) => attempts,
          parked: ({ parked_at }) => `${age(parked_at)} ago`,
          // Only the first parked event of a stream can be retried or skipped.
          action: (event) => event === parked.data?.data.find((one) => isSameStream(one, event)) && actionsOf(event),
        }}
        empty="No parked events."
      />
    </>
  );
};

type Stream = Pick<ParkedEvent, 'reader' | 'stream_id'>;
const isSameStream = (a: Stream, b: Stream): boolean => a.reader === b.reader && a.stream_id === b.stream_id;
