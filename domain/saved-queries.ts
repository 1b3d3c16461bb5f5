import { left } from 'fp-ts/Either';
import { Set as ImmutableSet } from 'immutable';
import * as t from 'io-ts';
import { accept, deciderOf } from './kernel/decider';
import { domainError } from './kernel/errors';
import { type EventsOf, eventSpec } from './kernel/event-catalogue';

const ofQuery = { username: t.string, mappingId: t.number, name: t.string };

export const savedQueryEvents = {
  /** The user saved a query, with its drawing if there is one, in place of the query of that name. */
  QuerySaved: eventSpec(
    t.strict({ ...ofQuery, query: t.string, parameters: t.string, drawing: t.union([t.string, t.null]) }),
  ),
  /** The user deleted a query. Queries of a deleted mapping end without an event. */
  SavedQueryDeleted: eventSpec(t.strict(ofQuery)),
};
export type SavedQueryEvent = EventsOf<typeof savedQueryEvents>;

interface OfQuery {
  readonly mappingId: number;
  readonly name: string;
}

/** `parameters` and `drawing` are JSON texts, kept as they were sent. */
export interface SavedQuery extends OfQuery {
  readonly query: string;
  readonly parameters: string;
  readonly drawing: string | null;
}

export type SavedQueryCommand =
  (SavedQuery & { readonly type: 'SaveQuery' }) | (OfQuery & { readonly type: 'DeleteSavedQuery' });

/** The names of one user's saved queries, as `mapping/name`. */
export type SavedQueries = ImmutableSet<string>;

/** Maximum per mapping, more than a user would write by hand. */
const MAX_QUERIES = 200;

/** One stream per user; the actor of a command is the user of the stream. */
export const savedQueriesStream = (username: string): string => `saved_queries-${username}`;

const keyOf = ({ mappingId, name }: OfQuery): string => `${mappingId}/${name}`;

export const savedQueries = deciderOf<SavedQueryCommand, SavedQueryEvent, SavedQueries>()({
  initial: ImmutableSet(),

  decide: {
    SaveQuery: ({ type: _, ...saved }, known, { actor: { username } }) => {
      const count = known.count((key) => key.startsWith(`${saved.mappingId}/`));
      if (count < MAX_QUERIES || known.has(keyOf(saved))) {
        return accept([{ type: 'QuerySaved', data: { username, ...saved } }]);
      }
      const message = `You have saved ${count} queries of mapping ${saved.mappingId}; delete unused ones first.`;
      return left(domainError('INVALID_STATE', message, { current_count: count, max_allowed: MAX_QUERIES }));
    },

    DeleteSavedQuery: ({ mappingId, name }, known, { actor: { username } }) => {
      if (known.has(keyOf({ mappingId, name }))) {
        return accept([{ type: 'SavedQueryDeleted', data: { username, mappingId, name } }]);
      }
      const message = `You have no saved query ${name} of mapping ${mappingId}; list them.`;
      return left(domainError('RESOURCE_NOT_FOUND', message, { mapping_id: mappingId, query_name: name }));
    },
  },

  evolve: (known, { type, data }) => (type === 'QuerySaved' ? known.add(keyOf(data)) : known.delete(keyOf(data))),
});
