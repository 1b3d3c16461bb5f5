import { Temporal } from '@js-temporal/polyfill';
import { Moment } from '../../../pod/graph/engine/evaluate/temporal/moment';
import {
  type Graph,
  GraphNode,
  GraphRelationship,
  type Value,
  type ValueMap,
} from '../../../pod/graph/engine/evaluate/values';

type Cell = string | number | boolean | null | readonly string[];

/** A date if it looks like one; integers except for ratings. */
const valueOf = (name: string, cell: Cell): Value => {
  if (typeof cell === 'string' && /^\d{4}-\d\d-\d\d$/.test(cell))
    return new Moment('DATE', Temporal.PlainDateTime.from(cell));
  return typeof cell === 'number' && name !== 'rating' ? BigInt(cell) : cell;
};

/** Omits null properties. */
const properties = (names: string, cells: readonly Cell[]): ValueMap =>
  new Map(
    names.split(' ').flatMap((name, at) => {
      const value = valueOf(name, cells[at] ?? null);
      return value === null ? [] : [[name, value] as const];
    }),
  );

const PEOPLE: readonly (readonly Cell[])[] = [
  [1, 'Ada Berg', 1956, 'Addy', ['English', 'German'], '2019-05-01', true],
  [2, 'Bo Carlsen', 1964, null, ['English'], '2020-02-29', false],
  [3, 'Cy Dahl', 1967, null, [], null, null],
  [4, 'Di Ek', null, 'D', ['Danish', 'English', 'French'], '2020-12-31', true],
  [5, 'Émile Faure', 1948, null, ['French'], '1969-12-31', true],
  [6, 'Gil Haas', 1931, 'Gilly', null, '2021-07-15', false],
  [7, "Hal O'Hara", 1978, null, ['English'], '2024-01-01', null],
];

const MOVIES: readonly (readonly Cell[])[] = [
  [1, 'The Long Night', 1999, 'Wake up.', 8.7, true],
  [2, 'Harbour', 1986, null, 6.9, true],
  [3, 'the river', 2003, null, 7.4, true],
  [4, 'A Few Lies', 1992, 'You cannot handle it.', null, false],
  [5, 'Silence', 1948, null, 8.7, false],
  [6, 'Later', 2012, 'Not yet.', 6.3, null],
];

const GENRES = ['Drama', 'Thriller', 'Comedy'];

const people = PEOPLE.map(
  (cells, at) => new GraphNode(at, ['Person'], properties('id name born nick languages joined active', cells)),
);
const movies = MOVIES.map(
  (cells, at) => new GraphNode(10 + at, ['Movie'], properties('id title released tagline rating colour', cells)),
);
const genres = GENRES.map((name, at) => new GraphNode(20 + at, ['Genre'], properties('name', [name])));

type Step = readonly [from: number, to: number, ...cells: Cell[]];

const steps = (
  type: string,
  [from, to]: readonly [readonly GraphNode[], readonly GraphNode[]],
  names: string,
  all: readonly Step[],
): readonly ((id: number) => GraphRelationship)[] =>
  all.map(
    ([start, end, ...cells]) =>
      (id) =>
        new GraphRelationship(id, type, from[start - 1]!, to[end - 1]!, properties(names, cells)),
  );

/** Seven people, six movies and three genres. Ada rated one movie twice, and Cy knows himself. */
export const MOVIE_WORLD: Graph = {
  nodes: [...people, ...movies, ...genres],
  relationships: [
    ...steps('ACTED_IN', [people, movies], 'roles fee', [
      [1, 1, ['Mara'], 100],
      [1, 4, ['Dr Lund', 'Voice'], null],
      [2, 1, ['Nils'], 250],
      [2, 2, ['Cook'], 80],
      [3, 1, ['Agent'], 120],
      [3, 3, null, 300],
      [4, 3, ['Dr Holm'], 90],
      [6, 5, ['Herself'], null],
      [7, 6, [], 10],
    ]),
    ...steps('DIRECTED', [people, movies], 'fee', [
      [5, 1, 500],
      [5, 2, null],
      [4, 3, 700],
      [6, 5, 50],
    ]),
    ...steps('KNOWS', [people, people], 'since', [
      [1, 2, 1999],
      [2, 3, 2001],
      [3, 4, null],
      [1, 5, 2010],
      [5, 6, 1980],
      [3, 3, 2000],
      [4, 1, 2015],
    ]),
    ...steps('RATED', [people, movies], 'stars note day', [
      [1, 2, 4, 'calm', '2019-12-31'],
      [1, 2, 5, null, '2021-03-01'],
      [2, 3, 3, null, '2020-02-29'],
      [4, 1, 5, 'tense', '2021-03-02'],
      [7, 1, null, 'fell asleep', '2022-06-30'],
      [7, 5, 2, null, null],
    ]),
    ...steps('IN_GENRE', [movies, genres], 'weight', [
      [1, 2, 1],
      [1, 1, 2],
      [2, 1, 1],
      [4, 1, 1],
      [6, 3, null],
      [5, 1, 3],
    ]),
  ].map((make, id) => make(id)),
};
