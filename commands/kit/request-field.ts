import { type NewEvent } from '../../domain/kernel/event';

/** A path in an event, as `data.nodeDefinitions[0].sql`, as requests call it: `node_definitions.0.sql`. */
export const requestField = (path: string): string =>
  path
    .replace(/^data\./, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The field that takes up most of some events; null when their data has none. */
export const largestField = (events: readonly NewEvent[]): string | null => {
  const fields = events.flatMap(({ data }) => (typeof data === 'object' && data !== null ? Object.entries(data) : []));
  const sized = fields.map(([name, value]) => ({ name, size: JSON.stringify([value]).length }));
  const [largest] = sized.toSorted((a, b) => b.size - a.size);
  return largest === undefined ? null : requestField(largest.name);
};
