import { and, isNotNull } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Call, type Expression } from '../../cypher/tree';
import { replaceOutermost, variablesIn } from '../../cypher/walk';

/** Functions of openCypher are also written with them: `replace`, `split`, `substring`, and `toString` of a time. */
export const nullInReplacements: Quirk = {
  id: 'kuzu-null-in-replacements',
  description:
    'A function of three arguments, such as regexp_replace, returns null for all rows after a null argument.',
  shown: {
    graph: "CREATE (:N {id: 1}), (:N {id: 2})<-[:E]-(:M {id: 1, name: 'b'})",
    query: "MATCH (n:N) OPTIONAL MATCH (n)<-[:E]-(m:M) RETURN n.id, regexp_replace(m.name, '^', '-')",
    right: [
      [1, null],
      [2, '-b'],
    ],
    wrong: [
      [1, null],
      [2, null],
    ],
  },
  rewrite: (query) => guarded(query),
};

const isReplacement = (value: Expression | undefined): value is Call =>
  value?.kind === 'call' && /^(regexp_replace|regexp_extract|substring|substr|lpad|rpad|split_part)$/i.test(value.name);

/** Replacements of replacements have one condition. */
const guarded = <P>(part: P): P =>
  replaceOutermost(part, (value, locals) => {
    if (!isReplacement(value) || locals.some((local) => variablesIn(value).has(local))) return null;
    const made = withGuardedOperands(value);
    const condition = and(...operandsOf(made).map(isNotNull));
    return condition === null ? made : make('CASE WHEN _1 THEN _2 END', value, condition, made);
  });

const withGuardedOperands = (value: Call): Call => ({
  ...value,
  arguments: value.arguments.map((operand) =>
    isReplacement(operand) ? withGuardedOperands(operand) : guarded(operand),
  ),
});

const operandsOf = (value: Call): readonly Expression[] =>
  value.arguments.flatMap((operand) =>
    isReplacement(operand) ? operandsOf(operand) : variablesIn(operand).size > 0 ? [operand] : [],
  );
