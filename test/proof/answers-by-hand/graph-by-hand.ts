import { type Graph } from '../../../pod/graph/engine/evaluate/values';
import { initialGraph } from '../../tck/initial-graph';

/**
 * A graph small enough to compute answers by hand: Ann and Bob know each other, Ann twice; Cid knows himself; Dan knows
 * no one. `code` is a text of people and an integer of movies; Cid and Dan lack some properties.
 */
export const GRAPH_BY_HAND: Graph = initialGraph([
  `CREATE (ann:Person {id: 1, name: 'Ann-1', age: 30, active: true, code: 'x'}),
    (bob:Person {id: 2, name: 'Bob-2', age: 40, active: false, code: 'y'}),
    (cid:Person {id: 3, name: 'Cid-3'}),
    (dan:Person {id: 4, name: 'Dan-4', age: 30, active: true}),
    (heat:Movie {id: 1, title: 'Heat', code: 7}),
    (up:Movie {id: 2, title: 'Up', code: 8}),
    (ann)-[:KNOWS {since: 1}]->(bob),
    (bob)-[:KNOWS {since: 2}]->(ann),
    (ann)-[:KNOWS {since: 3}]->(bob),
    (bob)-[:KNOWS {since: 4}]->(cid),
    (cid)-[:KNOWS {since: 5}]->(cid),
    (ann)-[:LIKES {stars: 5}]->(heat),
    (bob)-[:LIKES {stars: 3}]->(heat),
    (bob)-[:LIKES {stars: 4}]->(up)`,
]);

/** More rows than engines compute at once; every fourth has no age. */
export const MANY_BY_HAND: Graph = initialGraph([
  `UNWIND range(1, 4000) AS i
   CREATE (:Person {id: i, age: CASE WHEN i % 4 = 0 THEN null ELSE i % 50 END})`,
]);

/** Relationships whose table has no columns. */
export const WITHOUT_PROPERTIES: Graph = initialGraph(['CREATE (:Person {id: 1})-[:MET]->(:Person {id: 2})']);

/** `mark` is a list of texts, an integer, a text, and a list; `born` a date and a text, `size` a float and an integer. */
export const OF_SEVERAL_TYPES: Graph = initialGraph([
  `CREATE (:Person {id: 1, mark: ['b', 'a'], born: date('2000-01-01'), size: 1.5}), (:Person {id: 2, mark: ['a']}),
    (:Movie {id: 1, mark: 7, born: 'May', size: 3}), (:Movie {id: 2, mark: 10}), (:Place {id: 1, mark: 'a'})`,
]);
