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
  error: ({ error }) => error ?? 'blocked by an earlier event',
};

const outcome = (data: ResultOf<typeof publicEndpoints.retryParkedEvents>): Output => ({
  data,
  text: `Applied: ${data.applied}; still parked: ${data.remaining}.`,
  ...(data.error === null ? {} : { note: `The first event failed again: ${data.error}`, exitCode: 1 }),
});

export const parkedCommands: ActionGroup = {
  name: 'parked',
  summary: 'Manage events that could not be applied (ops)',
  actions: [
    command('listParkedEvents', 'list', 'List parked events', {
      columns: { reader: 'reader', stream: 'stream_id', ...eventColumns },
    }),
    command('listParkedEvents', 'show <reader> <stream>', 'Show the event that blocks a stream, and its error', {
      arguments: ['reader', 'stream_id'],
      fixed: { limit: 100 },
      examples: ['parked show instances instance-42'],
      show: ({ data, page }, { input }) => {
        const [reader, stream] = [input.argument(0), input.argument(1)];
        const [first, ...later] = data;
        if (first === undefined)
          return left(failed(`${reader} has no parked events of ${stream}.`, 'See: rowgraph parked list'));
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
            ['blocked', (page?.total ?? data.length) - 1],
          ],
          sections: [{ title: 'Blocked', table: tableOf(later, eventColumns) }],
          note:
            `On the server: rowgraph log show --position ${first.position}\n` +
            `After the fix: rowgraph parked retry ${reader} ${stream} --reason <text>`,
        });
      },
    }),
    command('retryParkedEvents', 'retry <reader> <stream>', 'Apply the parked events of a stream again', {
      arguments: ['reader', 'stream_id'],
      options: [reasonOption],
      examples: ['parked retry instances instance-42 --reason "handler fixed"'],
      show: ({ data }) => outcome(data),
    }),
    command(
      'skipParkedEvent',
      'skip <reader> <stream> <position>',
      'Skip the event that blocks a stream, apply the others',
      {
        arguments: ['reader', 'stream_id', 'position'],
        options: [reasonOption],
        examples: ['parked skip instances instance-42 61 --reason "instance deleted"'],
        question: (input) => `Skip the event at ${input.argument(2)} for ${input.argument(0)}?`,
        show: ({ data }) => outcome(data),
      },
    ),
  ],
};
