import { type AnalysedQuery } from './analyse-query';
import { isStar, type ProjectionItem } from './result-shape';

/**
 * The titles of a result's columns, as openCypher has them: an alias or a variable is its name, any other expression is
 * its text as the person wrote it. `names`: what the engine calls them; a `*` keeps those.
 */
export const columnTitles = (
  { text, result }: Pick<AnalysedQuery, 'text' | 'result'>,
  names: readonly string[],
): readonly string[] => {
  const items = result.projections[0]?.items ?? [];
  const stars = items.filter(isStar).length;
  const starWidth = names.length - (items.length - stars);
  if (stars > 1 || starWidth < 0 || (stars === 0 && starWidth > 0)) return names;
  let column = 0;
  return items.flatMap((item) => {
    const own = names.slice(column, column + (isStar(item) ? starWidth : 1));
    column += own.length;
    return isStar(item) || isName(item) ? own : [writtenText(text, item)];
  });
};

/** A variable without backticks is its own text. */
const isName = ({ aliased, expression }: ProjectionItem): boolean =>
  aliased || (expression.length === 1 && expression[0]?.kind === 'quoted_name');

const writtenText = (text: string, { expression }: ProjectionItem): string =>
  text.slice(expression[0]?.start, expression.at(-1)?.end);
