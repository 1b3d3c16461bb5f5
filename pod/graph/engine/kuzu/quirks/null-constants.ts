import { literal } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Expression } from '../../cypher/tree';
import { valueTypes } from '../../cypher/value-types';
import { changeExpressions, expressionsIn } from '../../cypher/walk';
import { contextOf } from '../../evaluate/evaluate-clauses';
import { evaluateExpression } from '../../evaluate/evaluate-expression';
import { EvaluationFault, unsupported } from '../../evaluate/evaluation-fault';

/** Also for a property that no table has. The engine never ends a regular expression on such a null. */
export const nullConstants: Quirk = {
  id: 'kuzu-null-constants',
  description: 'A call of constants that returns null is a string, and so are the other values of its CASE.',
  shown: {
    graph: 'CREATE (:N {id: 1, size: 10}), (:N {id: 2, size: 20})',
    query: 'MATCH (n:N) RETURN n.id, CASE WHEN n.id = 1 THEN coalesce(null, null) ELSE n.size END ORDER BY n.id',
    right: [
      [1, null],
      [2, 20],
    ],
    wrong: [
      [1, null],
      [2, '20'],
    ],
  },
  rewrite: (query, { schema }) => {
    const typeOf = valueTypes(query, schema);
    return changeExpressions(query, (value, original) => {
      const isUnknown =
        original.kind === 'property' && isEntity(typeOf(original.of)) && typeOf(original).kind === 'null';
      return isUnknown || isNull(value) ? literal(null, value) : value;
    });
  },
};

const isEntity = ({ kind }: { readonly kind: string }): boolean => kind === 'node' || kind === 'relationship';

const MAX_STEPS = 1_000;

const isNull = (value: Expression): boolean => {
  if (value.kind === 'case') return [value.otherwise, ...value.branches.map(({ then }) => then)].every(isNullLiteral);
  const isOperation =
    /^(call|index|slice|property|unary)$/.test(value.kind) || (value.kind === 'binary' && isArithmetic(value));
  if (!isOperation || [...expressionsIn(value)].some(({ kind }) => /^(variable|parameter)$/.test(kind))) return false;
  try {
    const context = contextOf('', new Map(), () => unsupported('a pattern'), MAX_STEPS);
    return evaluateExpression(value, new Map(), context, null) === null;
  } catch (error) {
    if (error instanceof EvaluationFault) return false;
    throw error;
  }
};

const isNullLiteral = (value: Expression | null): boolean =>
  value === null || (value.kind === 'literal' && value.value === null);

const isArithmetic = ({ operator }: { readonly operator: string }): boolean => /^[-+*/%^]$/.test(operator);
