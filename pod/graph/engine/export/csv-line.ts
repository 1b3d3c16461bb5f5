/** A line of CSV from JSON texts: null is an empty field, an empty text is `""`, nested values stay JSON. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\n`;

const csvCell = (json: string): string => {
  if (json === 'null') return '';
  const text = json.startsWith('"') ? textOf(json) : json;
  return text === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const textOf = (json: string): string => (json.includes('\\') ? String(JSON.parse(json)) : json.slice(1, -1));
