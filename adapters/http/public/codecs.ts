import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CommandOutcome } from '../../../commands/kit/handle-command';
import { oneOf, optional, text } from '../../../domain/kernel/codecs';
import { type DomainError, notFound } from '../../../domain/kernel/errors';
import { DEFAULT_PAGE_SIZE, pageFields, QueryTimestamp, type Reply } from '../kit';

export const Name = text({ min: 1, max: 255, notBlank: true });
export const Description = text({ min: 0, max: 4000 });

/** The display name and the email address of a user. */
export const DisplayName = text({ min: 1, max: 255, notBlank: true });
export const EmailAddress = text({ min: 3, max: 320 });

export const SortOrder = oneOf('asc', 'desc');

export const searchField = { search: optional(text({ min: 0, max: 255 })) };

const filterFields = {
  ...searchField,
  created_after: optional(QueryTimestamp),
  created_before: optional(QueryTimestamp),
};

/** Query parameters that sort a list by one of these columns. */
export const sortFields = <K extends string>(...columns: readonly K[]) => ({
  sort_by: optional(oneOf(...columns)),
  sort_order: optional(SortOrder),
});

/** Query parameters of all lists; sorted by one of these columns. */
export const listFields = <K extends string>(...columns: readonly K[]) => ({
  ...pageFields,
  ...filterFields,
  ...sortFields(...columns),
});

/** Query parameters of all lists of resources. */
export const resourceListFields = <K extends string>(...columns: readonly K[]) => ({
  ...listFields(...columns),
  owner: optional(text({ min: 1, max: 255 })),
});

interface Paging {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}
type Bounds = Readonly<Record<keyof Paging, number>>;

/** The paging of a list, with the defaults of the API. */
export const pageOf = ({ offset = 0, limit = DEFAULT_PAGE_SIZE }: Paging): Bounds => ({ offset, limit });

/** Replies with the requested page of a list. */
export const replyPage = async <T>(
  query: Paging,
  read: (page: Bounds) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
) => {
  const page = pageOf(query);
  const { items, total } = await read(page);
  return right({ body: items, page: { total, ...page } });
};

/** Replies with the changed fields of a resource, its id and the time of its last change. */
export const replyChange = <S, V extends object, F extends DomainError>(
  changed: Either<F, CommandOutcome<S | null>>,
  resource: string,
  id: number,
  view: (state: S) => V,
): Either<F | DomainError<'RESOURCE_NOT_FOUND'>, Reply<V & { readonly id: number; readonly updated_at: string }>> => {
  if (isLeft(changed)) return changed;
  const { state, position, occurredAt } = changed.right;
  if (state === null) return left(notFound(resource, id));
  return right({ position, body: { id, ...view(state), updated_at: occurredAt } });
};
