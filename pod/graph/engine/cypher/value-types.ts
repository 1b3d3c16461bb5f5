import { type GraphSchema, propertiesByTable } from '../graph-schema';
import { itemName } from './column-titles';
import { type CureContext } from './cure';
import { returnType } from './signatures';
import { edgeTablesOf, endsOf, type Step, stepsOf } from './steps';
import {
  type Call,
  type Clause,
  type Expression,
  type LabelTest,
  type MapProjection,
  type Name,
  type NodePattern,
  type PathPattern,
  type Query,
  type Variable,
} from './tree';
import {
  common,
  fieldOf,
  integerUpTo,
  jsonType,
  mapOf,
  MOST_ROWS,
  operated,
  propertyType,
  UNKNOWN,
  type ValueType,
} from './value-type';
import { operandsOf } from './walk';

/** Returns the type of an expression of a query, or of one that a cure added if its variables are from the query. */
export type TypeOf = (value: Expression) => ValueType;

/** The types of names. */
export type Types = ReadonlyMap<string, ValueType>;

/** The types of a query's values, and of the names before and after each clause. */
interface InferredTypes {
  readonly typeOf: TypeOf;
  readonly before: ReadonlyMap<Clause, Types>;
  readonly after: ReadonlyMap<Clause, Types>;
}

const remembered = new WeakMap<Query, Inference>();

/** Infers the types of the values of a query, which must have passed `scopesOf`; those of parameters are unknown. */
export const inferredTypes = (query: Query, schema: GraphSchema): InferredTypes => {
  const found = remembered.get(query);
  if (found?.schema === schema) return found;
  const inference = new Inference(schema);
  inference.query(query, new Map());
  remembered.set(query, inference);
  return inference;
};

export const valueTypes = (query: Query, schema: GraphSchema): TypeOf => inferredTypes(query, schema).typeOf;

/** The types of the values of a query with the values of its parameters. */
export const typesWithParameters = (query: Query, context: CureContext): TypeOf => {
  const inference = new Inference(context.schema, (name) => jsonType(context.parameters[name]));
  inference.query(query, new Map());
  return inference.typeOf;
};

class Inference implements InferredTypes {
  readonly before = new Map<Clause, Types>();
  readonly after = new Map<Clause, Types>();
  readonly #variables = new WeakMap<Variable, ValueType>();
  readonly #projections = new WeakMap<MapProjection, ValueType>();

  constructor(
    readonly schema: GraphSchema,
    readonly parameterType: (name: string) => ValueType = () => UNKNOWN,
  ) {}

  query({ parts }: Query, outer: Types): Types {
    const [first = outer, ...others] = parts.map((clauses) =>
      clauses.reduce((known, clause) => {
        const types = this.#clause(clause, known);
        this.before.set(clause, known);
        this.after.set(clause, types);
        return types;
      }, outer),
    );
    return new Map(
      [...first].map(([name, type]) => [
        name,
        others.reduce((all, types) => common(all, types.get(name) ?? UNKNOWN), type),
      ]),
    );
  }

  #clause(clause: Clause, known: Types): Types {
    switch (clause.kind) {
      case 'match': {
        const types = this.#paths(clause.paths, known);
        this.#visit(clause.where, types);
        // Conditions of an OPTIONAL MATCH do not apply to nodes that were bound before.
        return clause.optional ? new Map([...types, ...known]) : types;
      }
      case 'unwind':
        this.#visit(clause.list, known);
        return new Map(known).set(clause.name.text, itemOf(this.typeOf(clause.list)));
      case 'call_procedure': {
        for (const value of clause.arguments) this.#visit(value, known);
        const names = (clause.yields ?? []).map(({ name, alias }) => [(alias ?? name).text, UNKNOWN] as const);
        const types = new Map([...known, ...names]);
        this.#visit(clause.where, types);
        return types;
      }
      case 'call_query':
        return new Map([...known, ...this.query(clause.query, known)]);
      case 'with':
      case 'return': {
        const types = new Map<string, ValueType>();
        for (const item of clause.items) {
          this.#visit(item.value, known);
          const name = itemName(item);
          if (item.value.kind === 'star') for (const [each, type] of known) types.set(each, type);
          else if (name !== undefined) types.set(name, this.typeOf(item.value));
        }
        const both = new Map([...known, ...types]);
        for (const value of [clause.where, ...clause.orderBy.map((item) => item.value)]) this.#visit(value, both);
        return types;
      }
    }
  }

  #paths(paths: readonly PathPattern[], known: Types): Types {
    const types = new Map(known);
    const bind = (name: Name | null, type: ValueType): void => {
      if (name !== null && !types.has(name.text)) types.set(name.text, type);
    };
    const { nodeTables, edgeTables } = this.schema;
    for (const { name, nodes, steps } of paths) {
      bind(name, { kind: 'path' });
      for (const node of nodes)
        bind(node.name, {
          kind: 'node',
          tables: labelled(
            node.labels,
            nodeTables.map(({ label }) => label),
          ),
        });
      for (const step of steps) {
        const tables = step.types.length > 0 ? step.types.map(({ text }) => text) : edgeTables.map(({ type }) => type);
        const type: ValueType = { kind: 'relationship', tables };
        bind(step.name, step.length === null ? type : { kind: 'list', item: type });
      }
    }
    const single = stepsOf(paths).filter(({ length }) => length === null);
    for (const step of [...single, ...single]) this.#narrow(step, types);
    for (const part of paths.flatMap(({ nodes, steps }) => [...nodes, ...steps])) {
      this.#visit(part.properties, types);
      this.#visit(part.where, types);
    }
    return types;
  }

  /** The nodes of a step have labels that occur at the ends of an edge table of its types. */
  #narrow(step: Step, types: Map<string, ValueType>): void {
    const labels = this.schema.nodeTables.map(({ label }) => label);
    const tablesOf = (node: NodePattern): readonly string[] => {
      const type = types.get(node.name?.text ?? '');
      return type?.kind === 'node' ? type.tables : labelled(node.labels, labels);
    };
    const possible = edgeTablesOf(step, this.schema).flatMap(({ fromNode, toNode }) =>
      endsOf(step).flatMap(([from, to]) =>
        tablesOf(from).includes(fromNode) && tablesOf(to).includes(toNode)
          ? [[from, fromNode] as const, [to, toNode] as const]
          : [],
      ),
    );
    for (const node of [step.left, step.right]) {
      const [text, type] = [node.name?.text ?? '', types.get(node.name?.text ?? '')];
      if (type?.kind !== 'node') continue;
      const fitting = new Set(possible.flatMap(([end, label]) => (end === node ? [label] : [])));
      types.set(text, { kind: 'node', tables: type.tables.filter((table) => fitting.has(table)) });
    }
  }

  /** Records the types of the variables in an expression. */
  #visit(value: Expression | null, known: Types): void {
    if (value === null) return;
    if (value.kind === 'variable') this.#variables.set(value, known.get(value.name) ?? UNKNOWN);
    else if (value.kind === 'subquery') this.query(value.query, known);
    else if (value.kind === 'pattern') this.#paths([value.path], known);
    else if (value.kind === 'pattern_comprehension') {
      const types = this.#paths([value.path], known);
      this.#visit(value.where, types);
      this.#visit(value.value, types);
    } else {
      const inside = this.#withLocals(value, known);
      for (const inner of operandsOf(value)) this.#visit(inner, inside);
      if (value.kind === 'map_projection') this.#projections.set(value, this.#projected(value, known));
    }
  }

  #withLocals(value: Expression, known: Types): Types {
    if (value.kind !== 'comprehension' && value.kind !== 'quantifier' && value.kind !== 'reduction') return known;
    this.#visit(value.list, known);
    const types = new Map(known).set(value.name.text, itemOf(this.typeOf(value.list)));
    if (value.kind !== 'reduction') return types;
    this.#visit(value.initial, known);
    return types.set(value.sum.text, withoutMost(this.typeOf(value.initial)));
  }

  readonly typeOf = (value: Expression): ValueType => {
    switch (value.kind) {
      case 'literal':
        return value.value === null ? { kind: 'null' } : { kind: typeof value.value === 'string' ? 'text' : 'boolean' };
      case 'number':
        return /^0[xo]/i.test(value.text) || !/[.e]/i.test(value.text)
          ? integerUpTo(Number(value.text))
          : { kind: 'float' };
      case 'variable':
        return this.#variables.get(value) ?? UNKNOWN;
      case 'list':
        return { kind: 'list', item: value.items.map(this.typeOf).reduce(common, { kind: 'null' }) };
      case 'map':
        return mapOf(value.entries.map(({ key, value: field }) => [key.text, this.typeOf(field)]));
      case 'map_projection':
        return this.#projections.get(value) ?? { kind: 'map' };
      case 'property':
        return this.#property(this.typeOf(value.of), value.name.text);
      case 'index':
        return this.#element(this.typeOf(value.of), value.at);
      case 'slice':
        return this.typeOf(value.of);
      case 'unary':
        return value.operator === 'NOT' ? { kind: 'boolean' } : this.typeOf(value.of);
      case 'binary':
        return operated(value.operator, this.typeOf(value.left), this.typeOf(value.right));
      case 'has_labels':
      case 'comparison':
      case 'null_test':
      case 'quantifier':
      case 'pattern':
        return { kind: 'boolean' };
      case 'call':
        return this.#ofGraph(value) ?? returnType(value.name, value.arguments.map(this.typeOf));
      case 'case':
        return [...value.branches.map(({ then }) => then), ...(value.otherwise === null ? [] : [value.otherwise])]
          .map(this.typeOf)
          .reduce(common, { kind: 'null' });
      case 'comprehension':
        return {
          kind: 'list',
          item: value.value === null ? itemOf(this.typeOf(value.list)) : this.typeOf(value.value),
        };
      case 'pattern_comprehension':
        return { kind: 'list', item: this.typeOf(value.value) };
      case 'reduction':
        return withoutMost(common(this.typeOf(value.initial), this.typeOf(value.value)));
      case 'subquery':
        if (value.word === 'COLLECT')
          return { kind: 'list', item: value.query.parts.map(this.#returned).reduce(common) };
        return value.word === 'EXISTS' ? { kind: 'boolean' } : integerUpTo(MOST_ROWS);
      case 'parameter':
        return value.type ?? this.parameterType(value.name);
      case 'star':
        return UNKNOWN;
    }
  };

  /** The first value that a part of a query returns. */
  readonly #returned = (clauses: readonly Clause[]): ValueType => {
    const last = clauses.at(-1);
    return last?.kind === 'return' && last.items[0] !== undefined ? this.typeOf(last.items[0].value) : UNKNOWN;
  };

  #projected({ of, items }: MapProjection, known: Types): ValueType {
    const type = known.get(of.text) ?? UNKNOWN;
    const fields = items.map((item): readonly (readonly [string, ValueType])[] | null => {
      if (item.kind === 'all') return this.#fieldsOf(type);
      if (item.kind === 'entry') return [[item.entry.key.text, this.typeOf(item.entry.value)]];
      const { text } = item.name;
      return [[text, item.kind === 'variable' ? (known.get(text) ?? UNKNOWN) : this.#property(type, text)]];
    });
    return fields.includes(null) ? { kind: 'map' } : mapOf(fields.flatMap((all) => all ?? []));
  }

  /** The fields or properties of a value; null if they are not known. */
  #fieldsOf(of: ValueType): readonly (readonly [string, ValueType])[] | null {
    if (of.kind === 'map') return of.fields === undefined ? null : [...of.fields];
    if (of.kind !== 'node' && of.kind !== 'relationship') return null;
    const tables = [...propertiesByTable(this.schema, of.kind)].filter(([table]) => of.tables.includes(table));
    return tables.flatMap(([, properties]) => properties.map(({ name }) => [name, this.#property(of, name)] as const));
  }

  /** `nodes(p)`, `relationships(p)` and `properties(n)`. */
  #ofGraph({ name, arguments: [argument] }: Call): ValueType | null {
    const { nodeTables, edgeTables } = this.schema;
    const upper = name.toUpperCase();
    if (upper === 'PROPERTIES' && argument !== undefined) {
      const fields = this.#fieldsOf(this.typeOf(argument));
      return fields === null ? null : mapOf(fields);
    }
    if (upper === 'NODES')
      return { kind: 'list', item: { kind: 'node', tables: nodeTables.map(({ label }) => label) } };
    if (upper !== 'RELATIONSHIPS') return null;
    return { kind: 'list', item: { kind: 'relationship', tables: edgeTables.map(({ type }) => type) } };
  }

  #element(of: ValueType, at: Expression): ValueType {
    if (of.kind === 'list') return of.item;
    return at.kind === 'literal' && typeof at.value === 'string' ? this.#property(of, at.value) : UNKNOWN;
  }

  #property(of: ValueType, name: string): ValueType {
    if (of.kind === 'other') return integerUpTo(MOST_OF_PARTS);
    if (of.kind !== 'node' && of.kind !== 'relationship') return fieldOf(of, name);
    return [...propertiesByTable(this.schema, of.kind)]
      .filter(([table]) => of.tables.includes(table))
      .map(([, properties]) => properties.find((property) => property.name === name))
      .map((property): ValueType => (property === undefined ? { kind: 'null' } : propertyType(property)))
      .reduce(common, { kind: 'null' });
  }
}

/** Milliseconds of a date and time are the greatest of its parts. */
const MOST_OF_PARTS = 2 ** 53;

/** The type of a sum whose size, or that of its items, is not known. */
const withoutMost = (type: ValueType): ValueType => {
  if (type.kind === 'list') return { kind: 'list', item: withoutMost(type.item) };
  if (type.kind === 'map') return { kind: 'map' };
  return type.kind === 'integer' ? { kind: 'integer' } : type;
};

const itemOf = (type: ValueType): ValueType => (type.kind === 'list' ? type.item : UNKNOWN);

const labelled = (test: LabelTest | null, all: readonly string[]): readonly string[] =>
  test === null ? all : test.names.map(({ text }) => text);
