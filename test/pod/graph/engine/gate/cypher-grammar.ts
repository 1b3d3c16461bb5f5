import { createRandom } from '../../../../../pod/graph/algorithms/graph/random';
import { type EngineKind } from './corpus';

/** A generated statement, and whether it contains a forbidden element. */
export interface MadeStatement {
  readonly text: string;
  readonly forbidden: boolean;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const NAMES = words(
  'n m x set delete copy load merge drop contains where limit in by `CREATE` `a;b` `//` `/*` created',
);
const LABELS = words('Person City Copy Settings');
const EDGES = words('KNOWS LIVES_IN DELETED_BY CREATE_ORDER');
const PROPERTIES = words('name age merge drop load csv created_at copy `foreach` id title');
const STRINGS = [
  `'CREATE (n)'`,
  `"DELETE"`,
  `'it\\'s; SET'`,
  `"/*"`,
  `'//'`,
  `';'`,
  `'\`'`,
  `'\\\\'`,
  `"say \\"LOAD\\""`,
  `'é😀 SET'`,
];
const OPERATORS = words('+ - * / = <> < > <= >= AND OR XOR IN CONTAINS');
const SPACES = [' ', '\n', '\t', '\r\n', ' /* DELETE n */ ', ' // SET n.age = 1\n', ' /**/', ` /* ' */ `, ` // " \`\n`];

const WORDS = {
  duckdb: {
    functions: words('abs size toLower toUpper coalesce reverse toString'),
    badFunctions: words('read_text getenv `getenv` read_csv current_setting query'),
    procedures: ['db.labels ( )', 'db . relationshipTypes ( )', '`db` . propertyKeys ( )'],
    badProcedures: [
      `read_csv ( 'x' )`,
      `\`read_text\` ( 'x' )`,
      'duckdb_settings ( )',
      'pragma_version ( )',
      'db.indexes ( )',
    ],
    forbiddenClauses: [
      `COPY node_0 TO 'x'`,
      'CHECKPOINT',
      `LOAD CSV FROM 'x' AS row`,
      'SELECT 1',
      'CALL { MATCH ( x ) SET x . age = 1 RETURN 1 AS y }',
    ],
  },
  falkordb: {
    functions: words('abs size toLower toUpper coalesce toJSON reverse toString'),
    badFunctions: words('load_file `readFile` lib.evil `lib`.`evil` nop path_filter'),
    procedures: ['db.labels ( )', 'db . indexes ( )', '`db` . propertyKeys ( )', 'algo.WCC ( { } )'],
    badProcedures: [
      `db.idx.fulltext.drop ( 'Person' )`,
      `db . idx . fulltext . createNodeIndex ( 'Person' )`,
      `\`db\` . \`udf\` . \`load\` ( 'x' )`,
      'db.nothing ( )',
    ],
    forbiddenClauses: [
      `LOAD CSV FROM 'https://127.0.0.1:1/x' AS row`,
      `LOAD CSV WITH HEADERS FROM $url AS row`,
      'CALL { CREATE ( x : P ) }',
      'CALL { MATCH ( x ) SET x . age = 1 RETURN 1 AS y }',
    ],
  },
} as const;

/** Statements of a small grammar of reading Cypher, half of them with one forbidden element; deterministic by seed. */
export const createStatementMaker = (kind: EngineKind, seed: number): (() => MadeStatement) => {
  const { functions, badFunctions, procedures, badProcedures, forbiddenClauses } = WORDS[kind];
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <A>(values: readonly A[]): A => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error('There is nothing to pick from.');
    return value;
  };
  /** The index of the place for the forbidden element, among all places that could contain it. */
  let expressionsLeft = -1;

  const expression = (depth: number): string => {
    if (expressionsLeft-- === 0) return pick([() => `${pick(badFunctions)} ( 's' )`, hiddenClause])();
    if (depth === 0) return pick([operand, operand, () => String(below(9))])();
    const inner = (): string => expression(depth - 1);
    return pick([
      operand,
      () => `${inner()} ${pick(OPERATORS)} ${inner()}`,
      () => `( ${inner()} )`,
      () => `[ ${inner()} , ${inner()} ]`,
      () => `{ ${pick(['set', 'load', '`DELETE`', 'a'])} : ${inner()} }`,
      () => `( NOT ${inner()} )`,
      () => `${pick(functions)} ( ${inner()} )`,
      () => `CASE WHEN ${inner()} THEN ${inner()} ELSE ${inner()} END`,
      () => `( ${property()} IS ${pick(['', 'NOT '])}NULL )`,
      () => `${property()} ${pick(['STARTS', 'ENDS'])} WITH ${pick(STRINGS)}`,
      () => `any ( ${pick(NAMES)} IN ${inner()} WHERE ${inner()} )`,
    ])();
  };
  /** A clause in the place of a property. */
  const hiddenClause = (): string =>
    `${pick(['1 .', '1.', '[ 1 ] [ 1 ] .', '{ a : 1 } .'])} ${pick(['CREATE', 'MERGE', 'set'])} ( : P )`;
  const property = (): string => `${pick(NAMES)} . ${pick(PROPERTIES)}`;
  const operand = (): string => pick([property, property, () => pick(STRINGS), () => pick(NAMES), () => '1.5e3'])();
  const node = (): string =>
    pick([
      () => `( ${pick(NAMES)} : ${pick(LABELS)} )`,
      () => `( : ${pick(LABELS)} )`,
      () => `( ${pick(NAMES)} : ${pick(LABELS)} { ${pick(PROPERTIES)} : ${pick(STRINGS)} } )`,
    ])();
  const edge = (): string =>
    pick([
      () => `-[ ${pick(NAMES)} : ${pick(EDGES)} ]->`,
      () => `<-[ : ${pick(EDGES)} ]-`,
      () => `-[ : ${pick(EDGES)} | ${pick(EDGES)} ]-`,
      () => `-[ : ${pick(EDGES)} *1..2 ]->`,
      () => '-->',
    ])();
  const match = (): string => {
    const pattern = pick([node, () => `${node()} ${edge()} ${node()}`, () => `p = ${node()} ${edge()} ${node()}`])();
    const where = below(2) === 0 ? '' : ` WHERE ${expression(2)}`;
    return `${pick(['', '', 'OPTIONAL '])}MATCH ${pattern}${where}`;
  };
  const items = (): string => `${expression(2)} AS ${pick(NAMES)}`;
  const readingClause = (): string =>
    pick([
      match,
      match,
      () => `WITH ${pick(['', 'DISTINCT '])}${items()}`,
      () => `WITH * , ${items()} WHERE ${expression(1)}`,
      () => `WITH * ORDER BY ${property()} ${pick(['', 'DESC', 'ASC'])} SKIP 1 LIMIT ${below(9)}`,
      () => `UNWIND [ ${expression(1)} ] AS ${pick(NAMES)}`,
      () => `CALL ${pick(procedures)}`,
      () => `CALL { ${match()} RETURN ${items()} }`,
    ])();
  const forbiddenClause = (): string => {
    const name = pick(NAMES);
    return pick([
      () => `SET ${name} . age = 1`,
      () => `SET ${name} += { age : 1 }`,
      () => `SET ${name} : City`,
      () => `${pick(['', 'DETACH '])}DELETE ${name}`,
      () => `CREATE ( ${name} : P )`,
      () => `MERGE ( ${name} : P ) ON MATCH SET ${name} . age = 1`,
      () => `REMOVE ${name} . age`,
      () => `FOREACH ( y IN [ 1 ] | SET ${name} . age = y )`,
      () => `DROP TABLE Person`,
      () => `; ${pick(['CREATE ( x )', 'RETURN 1', 'CHECKPOINT'])}`,
      () => pick(forbiddenClauses),
      () => pick(forbiddenClauses),
      () => `CALL ${pick(badProcedures)}`,
      () => `CALL ${pick(badProcedures)}`,
    ])();
  };
  const letterCase = (): ((text: string) => string) =>
    pick([(text: string) => text, (text: string) => text, (text: string) => alternatingCase(text)]);

  return () => {
    const bad = below(4);
    expressionsLeft = bad === 1 ? below(4) : -1;
    const clauses = Array.from({ length: 1 + below(3) }, readingClause);
    clauses.push(`RETURN ${pick(['', 'DISTINCT '])}${items()} , ${expression(2)} AS z`);
    if (below(6) === 0) clauses.push(`UNION ${pick(['', 'ALL '])}${match()} RETURN ${items()} , 1 AS z`);
    const calledBadly = bad === 1 && expressionsLeft < 0;
    expressionsLeft = -1;
    if (bad === 0) clauses.splice(below(clauses.length + 1), 0, forbiddenClause());
    const prefix = pick(['', '', '', '', 'EXPLAIN ', 'PROFILE ']);
    const change = letterCase();
    const text = (prefix + clauses.join(' '))
      .split(/('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`| +)/)
      .map((piece) => (/^ +$/.test(piece) ? pick(SPACES) : /^['"`]/.test(piece) ? piece : change(piece)))
      .join('');
    return { text: text + pick(['', '', ';', ' ; // end']), forbidden: bad === 0 || calledBadly };
  };
};

const KEYWORDS = /^(?:MATCH|SET|DELETE|DETACH|CREATE|RETURN|WITH|WHERE|CALL|LOAD|MERGE|REMOVE|UNION|COPY|FOREACH)$/;

const alternatingCase = (word: string): string =>
  KEYWORDS.test(word)
    ? [...word].map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter)).join('')
    : word;
