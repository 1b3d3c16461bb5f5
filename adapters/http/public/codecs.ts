import { right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { optional, text } from '../../../domain/kernel/codecs';
import { DEFAULT_PAGE_SIZE, pageFields, QueryTimestamp } from '../kit';

export const Name = text({ min: 1, max: 255, notBlank: true });
export const Description = text({ min: 0, max: 4000 });

export const Username = text({
  min: 1,
  max: 255,
  pattern: {
    regexp: /^[!-+\--~](?:[ -+\--~]*[!-+\--~])?$/,
    words: 'must be printable ASCII without comma and without outer spaces',
  },
});

/** The sort orders a list takes. */
export const SortOrder = t.keyof({ asc: null, desc: null });

/** Query parameters every list of resources takes. */
export const resourceListFields = {
  ...pageFields,
  owner: optional(text({ min: 1, max: 255 })),
  search: optional(text({ min: 0, max: 255 })),
  created_after: optional(QueryTimestamp),
  created_before: optional(QueryTimestamp),
  sort_order: optional(SortOrder),
};

interface Paging {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}
type Bounds = Readonly<Record<keyof Paging, number>>;

/** The paging of a list with the API's defaults. */
export const pageOf = ({ offset = 0, limit = DEFAULT_PAGE_SIZE }: Paging): Bounds => ({ offset, limit });

/** Answers a list with the page that was asked for. */
export const replyPage = async <T>(
  query: Paging,
  read: (page: Bounds) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
) => {
  const page = pageOf(query);
  const { items, total } = await read(page);
  return right({ body: items, page: { total, ...page } });
};
