import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
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

/** Saves all rows of a query as a file; on failure there is an error and no file. */
export const ExportMenu = ({ address, query, onProblem }: ExportMenuProps) => {
  const exportRows = useExport(address);
  const [isBusy, setBusy] = useState(false);
  const save = async (format: FileFormat, extension: string): Promise<void> => {
    onProblem(null);
    setBusy(true);
    try {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await exportRows(query(), format));
      link.download = `rows.${extension}`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      onProblem(asError(error));
    }
    setBusy(false);
  };
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={isBusy}>
          Export
        </Button>
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
