import { Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { CatalogTree } from './catalog-tree';
import { FoundNames } from './found-names';
import { TablePanel } from './table-panel';
import { SearchField } from '../../kit/search-field';
import { useFilter } from '../../kit/use-filter';

/** The catalogs of the warehouse down to columns and rows; the selection is in the URL. */
export const DataPage = () => {
  const { q, catalog, schema, table } = useSearch({ from: '/data' });
  const show = useFilter();
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
            <CatalogTree chosen={chosen} onChoose={(name) => show({ ...name })} />
          ) : (
            <FoundNames q={q} chosen={chosen} onChoose={(name) => show({ ...name })} />
          )}
        </section>
        {chosen === null ? (
          <p className="dimmed">Choose a table to see its columns and sample rows.</p>
        ) : (
          <TablePanel key={Object.values(chosen).join('\n')} name={chosen} />
        )}
      </div>
    </>
  );
};
