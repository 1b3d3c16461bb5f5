import { Button, Menu } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { asError } from '../../api/failure';
import { type Address, type FileFormat, type GraphQuery, useExport } from '../../api/queries';

interface ExportMenuProps {
  readonly address: Address;
  /** Throws an error for invalid parameters. */
  readonly query: () => GraphQuery;
  readonly onProblem: (problem: Error | null) => void;
}

const FORMATS: readonly (readonly [FileFormat, name: string, extension: string])[] = [
  ['csv', 'CSV', 'csv'],
  ['parquet', 'Parquet', 'parquet'],
  ['ndjson', 'JSON lines', 'ndjson'],
  ['arrow', 'Arrow', 'arrows'],
];

/** Saves all rows of a query as a file; on failure there is an error and no file. Leaving the page cancels the export. */
export const ExportMenu = ({ address, query, onProblem }: ExportMenuProps) => {
  const exportRows = useExport(address);
  const [isBusy, setBusy] = useState(false);
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);
  const save = async (format: FileFormat, extension: string): Promise<void> => {
    const { signal } = (current.current = new AbortController());
    onProblem(null);
    setBusy(true);
    try {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await exportRows(query(), format, signal));
      link.download = `rows.${extension}`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      if (!signal.aborted) onProblem(asError(error));
    }
    setBusy(false);
  };
  if (isBusy)
    return (
      <Button color="red" variant="light" onClick={() => current.current?.abort()}>
        Cancel export
      </Button>
    );
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default">Export</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(([format, name, extension]) => (
          <Menu.Item key={format} onClick={() => void save(format, extension)}>
            {name}, all rows
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
