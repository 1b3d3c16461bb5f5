import { printExpression } from './print-expression';
import { QueryWriter } from './query-writer';
import {
  type Clause,
  type Name,
  type NodePattern,
  type PathLength,
  type PathPattern,
  type ProjectionClause,
  type Query,
  type StepPattern,
} from './tree';

/** A text with the positions of the original one. */
export interface PrintedQuery {
  readonly text: string;
  /** Maps an offset in this text to the offset in the original text. */
  readonly originalOffset: (offset: number) => number;
}

/**
 * Prints a query as this parser and FalkorDB read it. All names and texts are quoted, so a text is never parsed in two
 * ways. Throws a `QueryFault` if the query is nested too deep.
 */
export const printQuery = (query: Query): PrintedQuery => {
  const writer = new QueryWriter({ query: writeQuery, path: writePath, expression: printExpression });
  writeQuery(writer, query);
  return { text: writer.text, originalOffset: (offset) => writer.originalOffset(offset) };
};

const writeQuery = (writer: QueryWriter, { parts, unions }: Query): void => {
  for (const [index, clauses] of parts.entries()) {
    if (index > 0) writer.put(` ${unions[index - 1] ?? 'UNION'} `);
    writer.joined(clauses, ' ', (clause) => writeClause(writer, clause));
  }
};

const writeClause = (writer: QueryWriter, clause: Clause): void => {
  switch (clause.kind) {
    case 'match':
      writer.put(clause.optional ? 'OPTIONAL MATCH ' : 'MATCH ', clause);
      writer.joined(clause.paths, ', ', (path) => writePath(writer, path));
      return writer.after(' WHERE ', clause.where);
    case 'unwind':
      writer.put('', clause);
      writer.after('UNWIND ', clause.list);
      writer.put(' AS ');
      return writer.name(clause.name);
    case 'call_procedure':
      writer.within(`CALL ${clause.name}(`, ')', clause, () =>
        writer.joined(clause.arguments, ', ', (value) => printExpression(writer, value)),
      );
      if (clause.yields !== null) writer.put(' YIELD ');
      writer.joined(clause.yields ?? [], ', ', ({ name, alias }) => {
        writer.name(name);
        writeAlias(writer, alias);
      });
      return writer.after(' WHERE ', clause.where);
    case 'call_query':
      if (clause.imports === null) writer.put('CALL { ', clause);
      else writer.within('CALL (', ') { ', clause, () => writeNames(writer, clause.imports ?? [], ', '));
      writeQuery(writer, clause.query);
      return writer.put(' }');
    case 'with':
    case 'return':
      return writeProjection(writer, clause);
  }
};

const writeProjection = (writer: QueryWriter, clause: ProjectionClause): void => {
  writer.put(`${clause.kind === 'with' ? 'WITH' : 'RETURN'} ${clause.distinct ? 'DISTINCT ' : ''}`, clause);
  writer.joined(clause.items, ', ', ({ value, alias }) => {
    printExpression(writer, value);
    writeAlias(writer, alias);
  });
  if (clause.orderBy.length > 0) writer.put(' ORDER BY ');
  writer.joined(clause.orderBy, ', ', ({ value, descending }) => {
    printExpression(writer, value);
    if (descending) writer.put(' DESC');
  });
  writer.after(' SKIP ', clause.skip);
  writer.after(' LIMIT ', clause.limit);
  writer.after(' WHERE ', clause.where);
};

const writeAlias = (writer: QueryWriter, alias: Name | null): void => {
  if (alias === null) return;
  writer.put(' AS ');
  writer.name(alias);
};

const writeNames = (writer: QueryWriter, names: readonly Name[], separator: ', ' | '|' | ':'): void =>
  writer.joined(names, separator, (name) => writer.name(name));

const writePath = (writer: QueryWriter, { name, shortest, nodes, steps }: PathPattern): void => {
  if (name !== null) {
    writer.name(name);
    writer.put(' = ');
  }
  const writeChain = (): void => {
    for (const [index, node] of nodes.entries()) {
      const step = steps[index - 1];
      if (step !== undefined) writeStep(writer, step);
      writeNode(writer, node);
    }
  };
  if (shortest === null) writeChain();
  else writer.within(shortest === 'one' ? 'shortestPath(' : 'allShortestPaths(', ')', null, writeChain);
};

const writeNode = (writer: QueryWriter, node: NodePattern): void =>
  writer.within('(', ')', node, () => {
    if (node.name !== null) writer.name(node.name);
    if (node.labels !== null) {
      writer.put(':');
      writeNames(writer, node.labels.names, node.labels.of === 'any' ? '|' : ':');
    }
    writer.after(' ', node.properties);
    writer.after(' WHERE ', node.where);
  });

const writeStep = (writer: QueryWriter, step: StepPattern): void =>
  writer.within(step.direction === 'left' ? '<-[' : '-[', step.direction === 'right' ? ']->' : ']-', step, () => {
    if (step.name !== null) writer.name(step.name);
    if (step.types.length > 0) writer.put(':');
    writeNames(writer, step.types, '|');
    if (step.length !== null) writeLength(writer, step.length);
    writer.after(' ', step.properties);
    writer.after(' WHERE ', step.where);
  });

const writeLength = (writer: QueryWriter, length: PathLength): void => {
  const { min, max } = length;
  writer.put('*', length);
  writer.after('', min);
  if (max !== min) writer.put('..');
  writer.after('', max === min ? null : max);
};
