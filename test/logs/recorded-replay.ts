import { createHash } from 'node:crypto';
import { type ReplayedLog } from './replay-log';

/** Long facts are recorded as their hash; the last states and rows are recorded in full. */
const SHORT = ['decision', 'receivers', 'undecodable'];

const recorded = (name: string, fact: string): string =>
  SHORT.includes(name) ? fact : createHash('sha256').update(fact).digest('hex').slice(0, 10);

/** The lines of a record: one per event, then the last state of each stream and the last rows of each table. */
export const linesOf = ({ events, states, rows }: ReplayedLog): readonly string[] => [
  ...events.map(({ event, facts }) =>
    JSON.stringify({
      event,
      ...Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, recorded(name, fact)])),
    }),
  ),
  ...[...states].map(([stream, state]) => JSON.stringify({ stream, state: JSON.parse(state) as unknown })),
  ...[...rows].flatMap(([table, ofTable]) =>
    ofTable.map((row) => JSON.stringify({ table, row: JSON.parse(row) as unknown })),
  ),
];

/** The line of an event. */
type Line = Readonly<Record<string, string>>;

/** Where a replay parts from its record: the event and what differs; null where it does not. */
export const partingOf = (replayed: ReplayedLog, record: readonly string[]): string | null => {
  const lines = linesOf(replayed);
  const index = lines.findIndex((line, at) => line !== record[at]);
  if (index < 0) return lines.length === record.length ? null : `The record continues: ${record[lines.length] ?? ''}`;
  const event = replayed.events[index];
  const line = JSON.parse(lines[index] ?? '{}') as Line;
  const before = JSON.parse(record[index] ?? '{}') as Line;
  if (event === undefined || before['event'] !== event.event) {
    return `Replayed: ${lines[index] ?? ''}\nRecorded: ${record[index] ?? 'nothing'}`;
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(line)])].filter(
    (name) => line[name] !== before[name],
  );
  return [
    `${event.event} (${event.id})`,
    ...names.map((name) => {
      const now = event.facts[name] ?? 'none';
      return `${name}: ${now}\n  recorded: ${before[name] ?? 'none'}, replayed: ${line[name] ?? 'none'}`;
    }),
  ].join('\n');
};
