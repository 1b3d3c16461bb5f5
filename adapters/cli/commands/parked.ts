import { left, right } from 'fp-ts/Either';
import { type ResultOf } from '../../client';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type ActionGroup } from '../action';
import { command } from '../command';
import { failed } from '../failure';
import { type Columns, type Output, tableOf } from '../output';
import { reasonOption } from '../request-options';

type ParkedEvent = ResultOf<typeof publicEndpoints.listParkedEvents>[number];

const placeOf = ({ event_stream_id, event_revision }: ParkedEvent): string => `${event_stream_id}@${event_revision}`;

const eventColumns: Columns<ParkedEvent> = {
  position: 'position',
  event: 'event_type',
  'in the log': placeOf,
  error: ({ error }) => error ?? 'waits behind an earlier one',
};

const outcome = (data: ResultOf<typeof publicEndpoints.retryParkedEvents>): Output => ({
  data,
  text: `${data.applied} taken in, ${data.remaining} still parked.`,
  ...(data.error === null ? {} : { note: `The first of them failed again: ${data.error}`, exitCode: 1 }),
});

export const parkedCommands: ActionGroup = {
  name: 'parked',
  summary: 'Events that could not be taken in (ops)',
  actions: [
    command(
      'listParkedEvents',
      'list',
      'List the events that a read model or the processes could not take in, and those behind them',
      { columns: { reader: 'reader', stream: 'stream_id', ...eventColumns } },
    ),
    command(
      'listParkedEvents',
      'show <reader> <stream>',
      'The event that holds a stream back, why, and what waits behind it',
      {
        arguments: ['reader', 'stream_id'],
        fixed: { limit: 100 },
        examples: ['parked show instances instance-42'],
        show: ({ data, page }, { input }) => {
          const [reader, stream] = [input.argument(0), input.argument(1)];
          const [first, ...behind] = data;
          if (first === undefined) return left(failed(`Nothing of ${stream} is parked for ${reader}.`));
          return right({
            data,
            record: [
              ['reader', reader],
              ['stream', stream],
              ['position', first.position],
              ['event', first.event_type],
              ['in the log', placeOf(first)],
              ['error', first.error],
              ['attempts', first.attempts],
              ['parked', first.parked_at],
              ['last failed', first.last_failed_at],
              ['behind it', (page?.total ?? data.length) - 1],
            ],
            sections: [{ title: 'Behind it', table: tableOf(behind, eventColumns) }],
            note:
              `The event, on the server: rowgraph log show --position ${first.position}\n` +
              `After the repair: rowgraph parked retry ${reader} ${stream} --reason <text>`,
          });
        },
      },
    ),
    command('retryParkedEvents', 'retry <reader> <stream>', null, {
      arguments: ['reader', 'stream_id'],
      options: [reasonOption],
      examples: ['parked retry instances instance-42 --reason "the handler is repaired"'],
      show: ({ data }) => outcome(data),
    }),
    command(
      'skipParkedEvent',
      'skip <reader> <stream> <position>',
      'Give up the event that holds a stream back, then take in those behind it',
      {
        arguments: ['reader', 'stream_id', 'position'],
        options: [reasonOption],
        examples: ['parked skip instances instance-42 61 --reason "its instance is long gone"'],
        question: (input) => `Give up the event at ${input.argument(2)} for ${input.argument(0)}?`,
        show: ({ data }) => outcome(data),
      },
    ),
  ],
};
