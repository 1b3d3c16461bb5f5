import * as t from 'io-ts';
import { optional, text } from '../../../domain/kernel/codecs';
import { DEFAULT_PAGE_SIZE, pageFields, QueryTimestamp } from '../kit';

export const Name = text({ min: 1, max: 255, notBlank: true });
export const Description = text({ min: 0, max: 4000 });

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

/** The paging of a list with the API's defaults. */
export const pageOf = (query: {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}): { readonly offset: number; readonly limit: number } => ({
  offset: query.offset ?? 0,
  limit: query.limit ?? DEFAULT_PAGE_SIZE,
});
