import { Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type TableName } from '../../api/table';
import { CatalogTree } from './catalog-tree';
import { FoundNames } from './found-names';
import { TablePanel } from './table-panel';
import { SearchField } from '../../kit/search-field';

export interface DataSearch extends Partial<Record<keyof TableName, string | undefined>> {
  /** Prefix of a name. */
  readonly q?: string | undefined;
}

/** The catalogs of the warehouse down to columns and rows; the selection is in the URL. */
export const DataPage = ({ search: { q, catalog, schema, table } }: { readonly search: DataSearch }) => {
  const navigate = useNavigate();
  const show = (change: DataSearch): void =>
    void navigate({ to: '/data', search: { q, catalog, schema, table, ...change }, replace: true });
  const chosen =
    catalog === undefined || schema === undefined || table === undefined ? null : { catalog, schema, table };
  return (
    <>
      <Title order={1} size="h2" mb="md">
        Data
      </Title>
      <div className="data-view">
        <section className="panel" aria-label="Tables">
          <SearchField
            aria-label="Search tables and columns"
            placeholder="Name of a table or column"
            mb="sm"
            text={q}
            onChange={(text) => show({ q: text })}
          />
          {q === undefined ? (
            <CatalogTree chosen={chosen} onChoose={show} />
          ) : (
            <FoundNames q={q} chosen={chosen} onChoose={show} />
          )}
        </section>
        {chosen === null ? (
          <p className="dimmed">Choose a table to see its columns and some of its rows.</p>
        ) : (
          <TablePanel key={Object.values(chosen).join('\n')} name={chosen} />
        )}
      </div>
    </>
  );
};
