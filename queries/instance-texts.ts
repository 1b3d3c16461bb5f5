import { type ReadDatabase } from './kit/database';
import { keeper } from './kit/keep';
import { containing } from './kit/list';
import { type Fragment, readRows } from './kit/statement';

/** The orders that change no sooner than the texts do. */
export type TextOrder = 'name' | 'created_at';
export const isTextOrder = (order: string): order is TextOrder => order === 'name' || order === 'created_at';

/** The instances whose name or description has a text in it. */
export interface InstanceTexts {
  readonly count: number;
  /** The number of all instances. */
  readonly of: number;
  /** In order, and then by id. */
  readonly ids: Readonly<Record<TextOrder, readonly number[]>>;
  /** The text as it stands in `searched`. */
  readonly lowered: string;
}

/** Stands between name and description; a text with it could be found across both. */
export const BETWEEN = '\u0001';

export const COUNT_ALL = "(SELECT count FROM read.instance_counts WHERE owner_username = '' AND status = '')";

/** A hundred thousand ids in two orders take 1.6 MB. */
const keepTexts = keeper(64);

/** What a text finds changes far more seldom than the instances: only when one comes, goes or gets another name. */
export const findTexts = <B>(db: ReadDatabase, search: string, use: (texts: InstanceTexts) => Promise<B>): Promise<B> =>
  keepTexts(db, ['instance texts', 'instances rebuilt'], search, () => find(db, search), use);

const find = async (db: ReadDatabase, search: string): Promise<InstanceTexts> => {
  const pattern = containing(search);
  const found: Fragment = search.includes(BETWEEN)
    ? ['id IN (SELECT id FROM read.instances WHERE name ILIKE ? OR description ILIKE ?)', pattern, pattern]
    : ['searched LIKE lower(?)', pattern];
  const parts: readonly Fragment[] = [
    ['SELECT lower(?),', search],
    [`${COUNT_ALL}, string_agg(id::text, ',' ORDER BY name, id), string_agg(id::text, ',' ORDER BY created_at, id)`],
    ['FROM read.instance_texts WHERE'],
    found,
  ];
  const rows = readRows<[string, string | null, string | null, string | null]>(db, { parts, isPlannedByValue: true });
  const [[lowered, of, byName, byTime] = ['', null, null, null]] = await rows;
  const ids = { name: idsIn(byName), created_at: idsIn(byTime) };
  return { ids, count: ids.name.length, of: Number(of), lowered };
};

export const idsIn = (list: string | null): readonly number[] => list?.split(',').map(Number) ?? [];
