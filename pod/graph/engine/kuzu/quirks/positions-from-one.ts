import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Expression } from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';

const isZero = (value: Expression | undefined): boolean => value?.kind === 'number' && /^0+$/.test(value.text);

/** `list[0]` is an error of the engine where it is a list, and an empty text where it is a text. */
export const indexesFromOne: Quirk = {
  id: 'kuzu-indexes-from-one',
  description: 'The first element of a list has the index 1.',
  shown: { query: "RETURN 'ab'[0]", right: [['a']], wrong: [['']] },
  rewrite: (query) => {
    for (const value of expressionsIn(query)) {
      if (value.kind !== 'index' || !isZero(value.at)) continue;
      throw new QueryFault(
        'List indexes start at 1 on this kind of instance: [1] is the first element.',
        value.at.start,
      );
    }
    return query;
  },
};

export const positionsFromOne: Quirk = {
  id: 'kuzu-positions-from-one',
  description: 'The first character of a text has the position 1.',
  shown: { query: "RETURN substring('hello', 0, 2)", right: [['he']], wrong: [['']] },
  rewrite: (query) => {
    for (const value of expressionsIn(query)) {
      if (value.kind !== 'call' || !/^SUBSTR(ING)?$/i.test(value.name)) continue;
      const [, position] = value.arguments;
      if (position === undefined || !isZero(position)) continue;
      throw new QueryFault(
        'String positions start at 1 on this kind of instance: substring(text, 1, 2) begins at the first character.',
        position.start,
      );
    }
    return query;
  },
};
