import fc from 'fast-check';

/** A value as DuckDB SQL, and the JSON text answers have for it. */
export interface Generated {
  readonly sql: string;
  readonly json: string;
}

/** A property type with its values. */
export interface GeneratedType {
  readonly declared: string;
  readonly duckdb: string;
  /** Sometimes null. */
  readonly value: fc.Arbitrary<Generated>;
}

const generated = (declared: string, duckdb: string, value: fc.Arbitrary<Generated>): GeneratedType => ({
  declared,
  duckdb,
  value: fc.option(value, { freq: 4, nil: { sql: 'NULL', json: 'null' } }),
});

const integers = (declared: string, duckdb: string, value: fc.Arbitrary<bigint>): GeneratedType =>
  generated(
    declared,
    duckdb,
    value.map((n) => ({ sql: `'${n}'::${duckdb}`, json: String(n) })),
  );

const WIDTHS = [
  ['INT64', 'BIGINT', 2n ** 63n],
  ['INT32', 'INTEGER', 2n ** 31n],
  ['INT16', 'SMALLINT', 2n ** 15n],
  ['INT8', 'TINYINT', 2n ** 7n],
] as const;

const numbers = (declared: 'DOUBLE' | 'FLOAT', values: fc.Arbitrary<number>): GeneratedType =>
  generated(
    declared,
    declared,
    values.map((n) => ({ sql: `'${n}'::${declared}`, json: Number.isFinite(n) ? String(n) : `"${n}"` })),
  );

const texts = fc
  .string({ unit: fc.oneof(fc.constantFrom('\ufeff'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })) })
  .filter((text) => !text.includes('\0'));
const bytes = fc.uint8Array({ maxLength: 8 }).map((array) => Buffer.from(array));

/** The proleptic Gregorian calendar, by counting from 1 March of the year 0. */
const isoDay = (days: number): string => {
  const era = Math.floor((days + 719_468) / 146_097);
  const day = days + 719_468 - era * 146_097;
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  const ofYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const date = [month < 10 ? month + 3 : month - 9, ofYear - Math.floor((153 * month + 2) / 5) + 1];
  const fullYear = year + era * 400 + (month < 10 ? 0 : 1);
  const sign = fullYear < 0 ? '-' : fullYear > 9999 ? '+' : '';
  const shown = `${sign}${String(Math.abs(fullYear)).padStart(sign === '' ? 4 : 6, '0')}`;
  return [shown, ...date.map((n) => String(n).padStart(2, '0'))].join('-');
};

const days = fc.oneof(
  fc.integer({ min: -800_000, max: 4_000_000 }),
  fc.integer({ min: -(2 ** 31) + 2, max: 2 ** 31 - 2 }),
  // The first and last days of the years 0 and 9999, and around them.
  fc.constantFrom(0, -719_528, -719_529, 2_932_896, 2_932_897),
);
const DAY = 86_400_000_000n;
const micros = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n });
const time = (at: bigint): Generated => {
  const day = at / DAY - (at % DAY < 0n ? 1n : 0n);
  const rest = at - day * DAY;
  const seconds = new Date(Number(rest / 1000n)).toISOString().slice(11, 19);
  const fraction = String(rest % 1_000_000n).padStart(6, '0');
  return { sql: `make_timestamp((${at})::BIGINT)`, json: `"${isoDay(Number(day))}T${seconds}.${fraction}Z"` };
};
const day = (at: number): Generated => ({
  sql: `('1970-01-01'::DATE + (${at})::INTEGER)`,
  json: `"${isoDay(at)}"`,
});
const dates = generated('DATE', 'DATE', days.map(day));
const timestamps = generated('TIMESTAMP', 'TIMESTAMP', fc.oneof(micros, fc.bigInt({ min: -(2n ** 56n), max: 2n ** 56n })).map(time)); // prettier-ignore

const joined = (items: readonly string[]): string => items.join(',');
const lists = ({ duckdb, value }: GeneratedType): GeneratedType =>
  generated(
    'LIST',
    `${duckdb}[]`,
    fc.array(value, { maxLength: 4 }).map((items) => ({
      sql: `[${joined(items.map(({ sql }) => sql))}]`,
      json: `[${joined(items.map(({ json }) => json))}]`,
    })),
  );
const structs = (a: GeneratedType, b: GeneratedType): GeneratedType =>
  generated(
    'STRUCT',
    `STRUCT(a ${a.duckdb}, b ${b.duckdb})`,
    fc.tuple(a.value, b.value).map(([x, y]) => ({
      sql: `{'a': ${x.sql}, 'b': ${y.sql}}`,
      json: `{"a":${x.json},"b":${y.json}}`,
    })),
  );
const maps = ({ duckdb, value }: GeneratedType): GeneratedType =>
  generated(
    'MAP',
    `MAP(VARCHAR, ${duckdb})`,
    fc.tuple(value, value).map(([x, y]) => ({
      sql: `MAP {'k l': (${x.sql})::${duckdb}, 'm': (${y.sql})::${duckdb}}`,
      json: `{"k l":${x.json},"m":${y.json}}`,
    })),
  );
/** Maps of one entry, whose key is text in answers. */
const keyed = (duckdb: string, keys: fc.Arbitrary<Generated>): GeneratedType =>
  generated('MAP', `MAP(${duckdb}, BIGINT)`, keys.map(({ sql, json }) => ({ sql: `MAP {(${sql})::${duckdb}: 1}`, json: `{"${json.replaceAll('"', '')}":1}` }))); // prettier-ignore

const [wide, ...narrow] = WIDTHS.map(([declared, duckdb, end]) =>
  integers(declared, duckdb, fc.oneof(fc.bigInt({ min: -end, max: end - 1n }), fc.constantFrom(-end, end - 1n))),
) as [GeneratedType, GeneratedType];
const doubles = numbers('DOUBLE', fc.double({ noNaN: true }));
const uuids = (value: fc.Arbitrary<string>): GeneratedType =>
  generated('UUID', 'UUID', value.map((text) => ({ sql: `'${text}'::UUID`, json: `"${text}"` }))); // prettier-ignore
const someUuids = uuids(
  fc.oneof(fc.uuid(), fc.constantFrom('ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000')),
);
const someTexts = generated('STRING', 'VARCHAR', texts.map((text) => ({ sql: `'${text.replaceAll("'", "''")}'`, json: JSON.stringify(text) }))); // prettier-ignore

/** Every property type, with values that both kinds can store. */
export const TYPES: readonly GeneratedType[] = [
  wide,
  ...narrow,
  doubles,
  numbers('FLOAT', fc.float({ noNaN: true })),
  generated('BOOL', 'BOOLEAN', fc.boolean().map((is) => ({ sql: String(is), json: String(is) }))), // prettier-ignore
  generated('BLOB', 'BLOB', bytes.map((b) => ({ sql: `from_hex('${b.toString('hex')}')`, json: `"${b.toString('base64')}"` }))), // prettier-ignore
  someTexts,
  dates,
  timestamps,
  generated('TIMESTAMP', 'TIMESTAMP', fc.bigInt({ min: -(2n ** 52n), max: 2n ** 52n }).map((ms) => time(ms * 1000n))), // prettier-ignore
  someUuids,
  ...[wide, doubles, someTexts, dates, timestamps, someUuids].map(lists),
  structs(wide, dates),
  structs(timestamps, someTexts),
  maps(doubles),
  maps(timestamps),
  keyed('TIMESTAMP', micros.map(time)),
  keyed('DATE', days.map(day)),
  keyed('DOUBLE', fc.double({ noNaN: true }).map((n) => ({ sql: `'${n}'::DOUBLE`, json: String(n) }))), // prettier-ignore
  lists(lists(wide)),
];

const few = fc.constantFrom(NaN, 7, 8, 0, -Infinity);
export const WITH_NAN: readonly GeneratedType[] = [numbers('DOUBLE', few), numbers('FLOAT', few)];
