import { type Quirk } from '../../cypher/quirk';
import { changeVariables } from '../../cypher/walk';

/** The columns of an answer keep their names. */
export const writtenNames: Quirk = {
  id: 'falkordb-names-with-backticks',
  description: 'A variable whose name contains a backtick is a syntax error.',
  rewrite: (query, { newName }) => {
    const names = new Map<string, string>();
    return changeVariables(query, (name) => {
      if (!name.includes('`')) return name;
      const written = names.get(name) ?? newName();
      names.set(name, written);
      return written;
    });
  },
};
