import { type Frame, type Variable, type Variables } from './frame';
import { converted } from './json-text';
import { NULL, simple, unify } from './type';

/** Adds the rows of several frames with the same names to another one, and returns these names as its variables. */
export const unitedRows = (parts: readonly Frame[], word: 'UNION' | 'UNION ALL', frame: Frame): Variables => {
  const { context } = frame;
  const alias = context.name('t');
  const columns = [...(parts[0]?.variables.keys() ?? [])].map((name) => {
    const values = parts.map((part): Variable => part.variables.get(name) ?? NULL);
    const type = values.map((value) => value.type).reduce(unify);
    return { name, values, type, column: context.name('c') };
  });
  const selects = parts.map((part, at) => {
    const list = columns.map(({ values, type, column }) => `${converted(values[at] ?? NULL, type, part)} AS ${column}`);
    return `SELECT ${list.length === 0 ? '1 AS one' : list.join(', ')}${part.source}`;
  });
  const lateral = frame.isEmpty && frame.parent === null ? '' : 'LATERAL ';
  frame.join('CROSS JOIN', `${lateral}(${selects.join(` ${word} `)})`, alias);
  return new Map(
    columns.map(({ name, values, type, column }): readonly [string, Variable] => {
      const isCertain = values.every((value) => value.isCertain === true);
      return [name, { ...simple(type, `${alias}.${column}`), ...(isCertain ? { isCertain } : {}) }];
    }),
  );
};
