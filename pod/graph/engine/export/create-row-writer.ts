import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { type ExportColumn, type RowWriter } from './row-writer';

export const createRowWriter = async (format: ExportFormat, columns: readonly ExportColumn[]): Promise<RowWriter> => {
  const names = columns.map(({ name }) => JSON.stringify(name));
  switch (format) {
    case 'csv':
      return lineWriter(csvLine(names), csvLine);
    case 'ndjson':
      return lineWriter('', (cells) => `{${cells.map((cell, index) => `${names[index]}:${cell}`).join(',')}}\n`);
    case 'arrow':
      // Loaded on demand: ten megabytes that most instances do not need.
      return (await import('./arrow-writer.js')).arrowWriter(columns);
  }
};

const lineWriter = (head: string, line: (cells: readonly string[]) => string): RowWriter => {
  let text = head;
  const take = (): Uint8Array => {
    const bytes = Buffer.from(text);
    text = '';
    return bytes;
  };
  return { add: (cells) => void (text += line(cells)), size: () => text.length, take, end: take };
};

/** A line of CSV from JSON texts: null is an empty field, an empty text is `""`, nested values stay JSON. */
const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\n`;

const csvCell = (json: string): string => {
  if (json === 'null') return '';
  const text = json.startsWith('"') ? textOf(json) : json;
  return text === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const textOf = (json: string): string => (json.includes('\\') ? String(JSON.parse(json)) : json.slice(1, -1));
