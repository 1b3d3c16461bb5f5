import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../../api/session';
import { useFilter } from '../../kit/list-filters';
import { readJson, readStoredQueries, type StoredQueries, withRun, writeJson } from '../../kit/stored-json';

const FIRST_QUERY = 'MATCH (a)-[r]->(b)\nRETURN a, r, b LIMIT 300';

/** The text in the editor, with its parameters and the history, and a function that changes it. */
export const useDraft = (mappingId: number) => {
  const { query } = useSearch({ from: '/graphs/$id' });
  const filter = useFilter();
  const key = `rowgraph.queries.${useSession().username}.${mappingId}`;
  // Each tab has its own text; the history is shared. A query in the URL comes first.
  const [stored, setStored] = useState((): StoredQueries => {
    const initial = { ...readStoredQueries(localStorage, key), ...readJson(sessionStorage, key, {}) };
    return { ...initial, draft: query ?? (initial.draft || FIRST_QUERY) };
  });
  useEffect(() => {
    if (query !== undefined) setStored((before) => ({ ...before, draft: query }));
  }, [query]);
  const change = (part: Partial<Omit<StoredQueries, 'history'>>, isRun = false): void => {
    const { draft, parameters } = { ...stored, ...part };
    const latest = { ...readStoredQueries(localStorage, key), draft, parameters };
    const next = isRun ? withRun(latest, draft) : latest;
    setStored(next);
    writeJson(localStorage, key, next);
    writeJson(sessionStorage, key, { draft, parameters });
    if (query !== undefined && query !== draft) filter({ query: undefined });
  };
  return { ...stored, change };
};
