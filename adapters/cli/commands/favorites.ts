import { type Either, isLeft } from 'fp-ts/Either';
import { type Action, type ActionGroup, type Given, pageOptions, pageQuery } from '../action';
import { answered } from '../answered';
import { type Session } from '../connection';
import { type CliFailure } from '../failure';
import { findInstance, findMapping } from '../find-one';
import { listOutput } from '../output';

const list: Action = {
  usage: 'list',
  summary: 'List your favorites, newest first',
  options: pageOptions,
  run: ({ api }, given) =>
    answered(api.listFavorites({ query: pageQuery(given) }), (answer) =>
      listOutput(answer, [
        ['kind', ({ resource_type }) => resource_type],
        ['id', ({ resource_id }) => resource_id],
        ['name', ({ resource_name }) => resource_name],
        ['owner', ({ resource_owner }) => resource_owner],
        ['since', ({ created_at }) => created_at],
      ]),
    ),
};

const KINDS = ['mapping', 'instance'] as const;
type Kind = (typeof KINDS)[number];

const find = (session: Session, kind: Kind, text: string): Promise<Either<CliFailure, number>> =>
  kind === 'mapping' ? findMapping(session, text) : findInstance(session, text);

const ofKind = (kind: Kind): readonly Action[] => [
  {
    usage: `add-${kind} <${kind}>`,
    summary: `Mark ${kind === 'mapping' ? 'a mapping' : 'an instance'} as a favorite`,
    run: (session, given) => change(session, kind, given, true),
  },
  {
    usage: `remove-${kind} <${kind}>`,
    summary: `Take ${kind === 'mapping' ? 'a mapping' : 'an instance'} off your favorites`,
    run: (session, given) => change(session, kind, given, false),
  },
];

const change = async (session: Session, kind: Kind, given: Given, isWanted: boolean) => {
  const id = await find(session, kind, given.argument(0));
  if (isLeft(id)) return id;
  const what = { resource_type: kind, resource_id: id.right };
  return isWanted
    ? answered(session.api.addFavorite({ body: what }), ({ data }) => ({
        data,
        text: `The ${kind} ${id.right} is a favorite of yours.`,
      }))
    : answered(session.api.removeFavorite({ params: what }), ({ data }) => ({
        data,
        text: `The ${kind} ${id.right} is no favorite of yours any more.`,
      }));
};

export const favoriteCommands: ActionGroup = {
  name: 'favorites',
  summary: 'What you want to find again',
  actions: [list, ...KINDS.flatMap(ofKind)],
};
