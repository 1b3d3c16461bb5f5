import { itemName } from './column-titles';
import { namesOfPaths } from './steps';
import { type Clause } from './tree';

export type Names = readonly string[];

/** The names after a clause; a `*` in a projection does not count. */
export const namesAfter = (clause: Clause, before: Names): Names => {
  switch (clause.kind) {
    case 'match':
      return added(before, namesOfPaths(clause.paths));
    case 'unwind':
      return added(before, [clause.name.text]);
    case 'call_procedure':
      return added(
        before,
        (clause.yields ?? []).map((yielded) => (yielded.alias ?? yielded.name).text),
      );
    case 'call_query': {
      const last = clause.query.parts[0]?.at(-1);
      return last === undefined ? before : [...before, ...namesAfter(last, [])];
    }
    case 'with':
    case 'return':
      return clause.items.flatMap((item) => itemName(item) ?? []);
  }
};

/** Names without duplicates. */
export const added = (...all: readonly Names[]): Names => [...new Set(all.flat())];
