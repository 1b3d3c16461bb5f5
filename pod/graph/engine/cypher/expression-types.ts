import { type GraphSchema, propertiesByTable } from '../graph-schema';
import { returnType } from './signatures';
import { type Call, type Clause, type Expression, type MapProjection, type Variable } from './tree';
import {
  common,
  constantInteger,
  fieldOf,
  integerUpTo,
  mapOf,
  MOST_ROWS,
  operated,
  propertyType,
  UNKNOWN,
  type ValueType,
} from './value-type';

/** Names and their types, in the order in which the query introduces them. */
export type Scope = ReadonlyMap<string, ValueType>;

/** Returns the type of an expression of a query, or of one that a cure added if its variables are from the query. */
export type TypeOf = (value: Expression) => ValueType;

/** The types of expressions, from those of the variables in them. */
export class ExpressionTypes {
  readonly #variables = new WeakMap<Variable, ValueType>();
  readonly #projections = new WeakMap<MapProjection, ValueType>();

  constructor(readonly schema: GraphSchema) {}

  /** Records the type of a variable or map projection, whose entries are recorded before. */
  record(value: Expression, scope: Scope): void {
    if (value.kind === 'variable') this.#variables.set(value, scope.get(value.name) ?? UNKNOWN);
    if (value.kind === 'map_projection') this.#projections.set(value, this.#projected(value, scope));
  }

  readonly typeOf: TypeOf = (value) => {
    switch (value.kind) {
      case 'literal':
        return value.value === null ? { kind: 'null' } : { kind: typeof value.value === 'string' ? 'text' : 'boolean' };
      case 'number':
        return /^0[xo]/i.test(value.text) || !/[.e]/i.test(value.text)
          ? constantInteger(value.text)
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
        return value.type ?? UNKNOWN;
      case 'star':
        return UNKNOWN;
    }
  };

  /** The first value that a part of a query returns. */
  readonly #returned = (clauses: readonly Clause[]): ValueType => {
    const last = clauses.at(-1);
    return last?.kind === 'return' && last.items[0] !== undefined ? this.typeOf(last.items[0].value) : UNKNOWN;
  };

  #projected({ of, items }: MapProjection, scope: Scope): ValueType {
    const type = scope.get(of.text) ?? UNKNOWN;
    const fields = items.map((item): readonly (readonly [string, ValueType])[] | null => {
      if (item.kind === 'all') return this.#fieldsOf(type);
      if (item.kind === 'entry') return [[item.entry.key.text, this.typeOf(item.entry.value)]];
      const { text } = item.name;
      return [[text, item.kind === 'variable' ? (scope.get(text) ?? UNKNOWN) : this.#property(type, text)]];
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
export const withoutMost = (type: ValueType): ValueType => {
  if (type.kind === 'list') return { kind: 'list', item: withoutMost(type.item) };
  if (type.kind === 'map') return { kind: 'map' };
  return type.kind === 'integer' ? { kind: 'integer' } : type;
};

/** The type of the items of a list. */
export const itemOf = (type: ValueType): ValueType => (type.kind === 'list' ? type.item : UNKNOWN);
