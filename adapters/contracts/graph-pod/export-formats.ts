/** Formats of a query's complete result, of any length: media type and description. */
export const EXPORT_FORMATS = {
  csv: {
    mediaType: 'text/csv',
    description:
      'The complete answer as in RFC 4180, with a header line: null is an empty field, an empty text is `""`, ' +
      'nested values are JSON. It is incomplete if the transfer breaks off',
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    description: 'The complete answer, a JSON object per row and line. It is incomplete if the transfer breaks off',
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    description:
      "The complete answer as a stream of Arrow's IPC format; nodes, relationships and values of several types are " +
      'JSON text. One that breaks off is not complete',
  },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** The media types in declarations of operations. */
export const EXPORT_MEDIA: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(EXPORT_FORMATS).map(({ mediaType, description }) => [
    mediaType,
    `${description}. Warnings are in X-Warnings, a JSON array`,
  ]),
);

/** The format of a media type; null if unknown. */
export const exportFormatOf = (mediaType: string | null): ExportFormat | null => {
  const found = Object.entries(EXPORT_FORMATS).find(([, format]) => format.mediaType === mediaType);
  // A key of the table.
  return (found?.[0] as ExportFormat | undefined) ?? null;
};
