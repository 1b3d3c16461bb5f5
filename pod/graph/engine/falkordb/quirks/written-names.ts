import { type Cure } from '../../cypher/cure';
import { QueryFault } from '../../cypher/query-fault';
import { type Name, type Query } from '../../cypher/tree';
import { changeClauses, changeVariables, partsOf } from '../../cypher/walk';
import { PROCEDURE_ALIASES } from '../vocabulary';

/**
 * A variable whose name contains a backtick is a syntax error. The columns of an answer keep their names; those of
 * properties, labels and types cannot be changed.
 */
export const writtenNames: Cure = (query, { newName }) => {
  const names = new Map<string, string>();
  const renamed = changeVariables(withProcedures(query), (name) => {
    if (!name.includes('`')) return name;
    const written = names.get(name) ?? newName();
    names.set(name, written);
    return written;
  });
  const other = partsOf(renamed).find((part): part is Name => isName(part) && part.text.includes('`'));
  if (other !== undefined)
    throw new QueryFault(`The name ${other.text} is not possible here; choose another.`, other.start);
  return renamed;
};

const isName = (part: object): part is Name => 'text' in part && 'start' in part && !('kind' in part);

const withProcedures = (query: Query): Query =>
  changeClauses(query, (clause) =>
    clause.kind === 'call_procedure'
      ? { ...clause, name: PROCEDURE_ALIASES.get(clause.name.toUpperCase()) ?? clause.name }
      : clause,
  );
