import { need } from './failure';
import { useChange } from './graphs';
import { useAnswer } from './use-answer';

/** A query with its settings; `parameters` and `drawing` are JSON texts. */
export interface QueryToSave {
  readonly name: string;
  readonly query: string;
  readonly parameters: string;
  readonly drawing?: string | null;
}

/** The user's saved queries of a mapping, and functions that change them. */
export const useSavedQueries = (mappingId: number) => {
  const saved = useAnswer(['saved-queries', mappingId], (api, signal) =>
    api.listSavedQueries({ params: { id: mappingId }, query: { limit: 100 }, signal }),
  );
  const save = useChange(async (api, { name, parameters, ...body }: QueryToSave) => {
    const given = parameters.trim() === '' ? {} : { parameters };
    const params = { id: mappingId, query_name: name };
    return need(await api.saveQuery({ params, body: { ...body, ...given } }), () => undefined);
  });
  const remove = useChange(async (api, query_name: string) =>
    need(await api.deleteSavedQuery({ params: { id: mappingId, query_name } }), () => undefined),
  );
  return { saved, save, remove };
};
