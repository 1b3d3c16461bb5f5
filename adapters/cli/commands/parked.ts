import { isLeft, left, right } from 'fp-ts/Either';
import { type Action, type ActionGroup, type OptionSpec, pageOptions, pageQuery, present } from '../action';
import { answered } from '../answered';
import { confirm, yesOption } from '../confirm';
import { failed, wrongUsage } from '../failure';
import { type Columns, listOutput, type Output, tableOf } from '../output';

interface ParkedEvent {
  readonly position: string;
  readonly event_type: string;
  readonly error: string | null;
}

const WAITS = 'waits behind an earlier one';
const eventColumns: Columns<ParkedEvent> = [
  ['position', ({ position }) => position],
  ['event', ({ event_type }) => event_type],
  ['error', ({ error }) => error ?? WAITS],
];

const list: Action = {
  usage: 'list',
  summary: 'List the events that a read model or the processes could not take in, and those behind them',
  options: [
    { flags: '--reader <name>', description: 'only those of this read model, or of "processes"' },
    { flags: '--stream <id>', description: 'only those of this stream' },
    ...pageOptions,
  ],
  run: ({ api }, given) => {
    const query = {
      ...pageQuery(given),
      ...present('reader', given.text('reader')),
      ...present('stream_id', given.text('stream')),
    };
    return answered(api.listParkedEvents({ query }), (answer) =>
      listOutput(answer, [
        ['reader', ({ reader }) => reader],
        ['stream', ({ stream_id }) => stream_id],
        ...eventColumns,
      ]),
    );
  },
};

const show: Action = {
  usage: 'show <reader> <stream>',
  summary: 'The event that holds a stream back, why, and what waits behind it',
  examples: ['parked show instances instance-42'],
  run: async ({ api }, given) => {
    const [reader, stream_id] = [given.argument(0), given.argument(1)];
    const found = await answered(
      api.listParkedEvents({ query: { reader, stream_id, limit: 100 } }),
      (answer) => answer,
    );
    if (isLeft(found)) return found;
    const { data, page } = found.right;
    const [first, ...behind] = data;
    if (first === undefined) return left(failed(`Nothing of ${stream_id} is parked for ${reader}.`));
    const output: Output = {
      data,
      record: [
        ['reader', reader],
        ['stream', stream_id],
        ['position', first.position],
        ['event', first.event_type],
        ['of stream', first.event_stream_id],
        ['error', first.error],
        ['attempts', first.attempts],
        ['parked', first.parked_at],
        ['last failed', first.last_failed_at],
        ['behind it', (page?.total ?? data.length) - 1],
      ],
      sections: [{ title: 'Behind it', table: tableOf(behind, eventColumns) }],
      note: `After the repair: rowgraph parked retry ${reader} ${stream_id} --reason <text>`,
    };
    return right(output);
  },
};

const reasonOption: OptionSpec = { flags: '--reason <text>', description: 'why; kept for ever' };
const noReason = wrongUsage('Say why: --reason <text>. It is kept for ever.');

const retry: Action = {
  usage: 'retry <reader> <stream>',
  summary: 'Take in what is parked of a stream, in order, until one fails again',
  options: [reasonOption],
  examples: ['parked retry instances instance-42 --reason "the handler is repaired"'],
  run: async ({ api }, given) => {
    const reason = given.text('reason');
    if (reason === undefined) return left(noReason);
    const body = { reader: given.argument(0), stream_id: given.argument(1), reason };
    return answered(api.retryParkedEvents({ body }), ({ data }) => outcome(data));
  },
};

const skip: Action = {
  usage: 'skip <reader> <stream> <position>',
  summary: 'Give up the event that holds a stream back, then take in those behind it',
  options: [reasonOption, yesOption],
  examples: ['parked skip instances instance-42 61 --reason "its instance is long gone"'],
  run: async ({ api, terminal }, given) => {
    const reason = given.text('reason');
    if (reason === undefined) return left(noReason);
    const body = { reader: given.argument(0), stream_id: given.argument(1), position: given.argument(2), reason };
    const sure = await confirm(terminal, given, `Give up the event at ${body.position} for ${body.reader}?`);
    if (isLeft(sure)) return sure;
    return answered(api.skipParkedEvent({ body }), ({ data }) => outcome(data));
  },
};

interface Taken {
  readonly applied: number;
  readonly remaining: number;
  readonly error: string | null;
}

const outcome = (data: Taken): Output => ({
  data,
  text: `${data.applied} taken in, ${data.remaining} still parked.`,
  ...(data.error === null ? {} : { note: `The first of them failed again: ${data.error}`, exitCode: 1 }),
});

export const parkedCommands: ActionGroup = {
  name: 'parked',
  summary: 'Events that could not be taken in (ops)',
  actions: [list, show, retry, skip],
};
