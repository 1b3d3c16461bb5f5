import { type Value } from '../../../pod/graph/engine/evaluate/values';

/** Queries as users of Neo4j write them, unchanged, by what they ask for; those with parameters have them second. */
export const NEO4J_QUERIES: Readonly<Record<string, string | readonly [string, Readonly<Record<string, Value>>]>> = {
  'titles with years': `
    MATCH (m:Movie)
    RETURN m.title + ' (' + toString(m.released) + ')' AS title ORDER BY title`,
  'co-actors': `
    MATCH (p:Person {name: 'Ada Berg'})-[:ACTED_IN]->(m:Movie)<-[:ACTED_IN]-(co:Person)
    RETURN DISTINCT co.name ORDER BY co.name`,
  'the latest movies of each actor': `
    MATCH (p:Person)-[:ACTED_IN]->(m:Movie)
    WITH p, m ORDER BY m.released DESC
    WITH p, collect(m.title)[0..2] AS latest
    RETURN p.name, latest ORDER BY p.name`,
  'languages besides English': `
    MATCH (p:Person) RETURN p.name, [l IN p.languages WHERE l <> 'English' | toUpper(l)] AS others`,
  'sums along a path': `
    MATCH path = (a:Person {name: 'Ada Berg'})-[:KNOWS*1..3]->(b:Person)
    RETURN b.name, reduce(total = 0, r IN relationships(path) | total + coalesce(r.since, 0)) AS total`,
  'groups of CASE': `
    MATCH (m:Movie)
    RETURN CASE WHEN m.rating >= 8 THEN 'great' WHEN m.rating IS NULL THEN 'unrated' ELSE 'fine' END AS verdict,
      count(*) AS movies
    ORDER BY verdict`,
  'CASE of a boolean': `
    MATCH (m:Movie) RETURN m.title, CASE WHEN m.colour THEN 'colour' ELSE 'black and white' END AS film, m.released`,
  directors: 'MATCH (p:Person) WHERE EXISTS { (p)-[:DIRECTED]->(:Movie) } RETURN p.name',
  'people without old movies': `
    MATCH (p:Person)
    WHERE NOT EXISTS { MATCH (p)-[:ACTED_IN]->(m:Movie) WHERE m.released < 1999 }
    RETURN p.name`,
  'counts of friends': `
    MATCH (p:Person) WHERE COUNT { (p)-[:ACTED_IN]->() } > 0
    RETURN p.name, COUNT { (p)-[:KNOWS]-() } AS friends`,
  'work of two sorts': `
    MATCH (p:Person)
    WITH p, COLLECT {
      MATCH (p)-[:ACTED_IN]->(m:Movie) RETURN m.title AS title
      UNION MATCH (p)-[:DIRECTED]->(m:Movie) RETURN m.title AS title } AS titles
    RETURN p.name, size(titles) AS work ORDER BY work DESC, p.name`,
  'properties of two sorts': `
    MATCH (p:Person)
    CALL (p) {
      MATCH (p)-[:ACTED_IN]->(m:Movie) RETURN m {.*} AS film
      UNION ALL MATCH (p)-[:DIRECTED]->(m:Movie) RETURN m {.*} AS film }
    RETURN p.name, film.title, film.released`,
  'the latest movies by year': `
    MATCH (m:Movie) WHERE m.released IS NOT NULL
    WITH m.released AS year, m.title AS title ORDER BY year DESC, title LIMIT 4
    RETURN year, title ORDER BY year, title`,
  'the first title of each, sorted': `
    MATCH (p:Person)
    CALL (p) { MATCH (p)-[:ACTED_IN]->(m:Movie) WITH m.title AS title ORDER BY title DESC LIMIT 2
      RETURN title ORDER BY title LIMIT 1 }
    RETURN p.name, title ORDER BY title DESC, p.name`,
  'the size of a pattern': `
    MATCH (p:Person)
    RETURN p.name, COUNT { (p)-[:ACTED_IN]->() } AS movies ORDER BY movies DESC, p.name LIMIT 5`,
  'the shortest path between two': `
    MATCH (a:Person {name: 'Ada Berg'}), (b:Person {name: 'Gil Haas'}),
      p = shortestPath((a)-[:KNOWS*..6]-(b))
    RETURN length(p), [n IN nodes(p) | n.name] AS names`,
  'a shortest path at once': `
    MATCH p = shortestPath((a:Person {id: 1})-[:KNOWS*]-(b:Person {id: 6})) RETURN length(p) AS hops`,
  'friends of friends': `
    MATCH (me:Person {name: 'Ada Berg'})-[:KNOWS*1..2]-(friend:Person)
    WHERE friend <> me
    RETURN DISTINCT friend.name`,
  'who directed, and who did not': `
    MATCH (p:Person) OPTIONAL MATCH (p)-[:DIRECTED]->(m:Movie)
    RETURN p.name, m.title, m IS NULL AS none`,
  'averages with nothing': `
    MATCH (m:Movie) OPTIONAL MATCH (m)<-[r:RATED]-(:Person)
    RETURN m.title, coalesce(avg(r.stars), 0) AS stars, count(r) AS ratings
    ORDER BY stars DESC, m.title`,
  'people by a list of names': [
    'UNWIND $names AS name MATCH (p:Person {name: name}) RETURN p.name, p.born',
    { names: ["Hal O'Hara", 'Émile Faure', 'Nobody'] },
  ],
  'rows as parameters': [
    'UNWIND $rows AS row OPTIONAL MATCH (m:Movie {title: row.title}) RETURN row.title, m.released = row.year AS same',
    {
      rows: [
        new Map<string, Value>([
          ['title', 'Harbour'],
          ['year', 1986n],
        ]),
        new Map<string, Value>([
          ['title', 'Nothing'],
          ['year', 1n],
        ]),
      ],
    },
  ],
  'the best movies, then their directors': `
    MATCH (m:Movie) WHERE m.rating IS NOT NULL
    WITH m ORDER BY m.rating DESC, m.title LIMIT 3
    MATCH (m)<-[:DIRECTED]-(d:Person)
    RETURN m.title, d.name`,
  'types and labels': `
    MATCH (:Person {name: 'Ada Berg'})-[r]->(x)
    RETURN type(r) AS type, labels(x)[0] AS label, count(*) AS times ORDER BY type, label`,
  'two labels in one pattern': 'MATCH (n:Person|Genre) RETURN labels(n) AS labels, n.name AS name ORDER BY name',
  'a regular expression': "MATCH (m:Movie) WHERE m.title =~ '(?i)the .*' RETURN m.title",
  'a map with a list of a pattern': `
    MATCH (m:Movie) WHERE m.released > 1990
    RETURN m {.title, .released, genres: [(m)-[:IN_GENRE]->(g:Genre) | g.name]} AS movie`,
  'all of a person, and an age': ['MATCH (p:Person {id: $id}) RETURN p {.*, age: 2024 - p.born} AS person', { id: 1n }],
  'CALL with the row': `
    MATCH (p:Person)
    CALL { WITH p MATCH (p)-[:ACTED_IN]->(m:Movie) RETURN count(m) AS movies }
    RETURN p.name, movies`,
  'CALL with names in brackets': `
    MATCH (m:Movie)
    CALL (m) { MATCH (m)<-[r:RATED]-() RETURN max(r.stars) AS best }
    RETURN m.title, best`,
  'CALL of a union': `
    CALL {
      MATCH (p:Person)-[:DIRECTED]->() RETURN p.name AS name
      UNION ALL
      MATCH (p:Person)-[:RATED]->() RETURN p.name AS name
    }
    RETURN name, count(*) AS times ORDER BY times DESC, name`,
  'a union': `
    MATCH (p:Person) WHERE p.born < 1950 RETURN p.name AS name
    UNION
    MATCH (m:Movie) WHERE m.released < 1990 RETURN m.title AS name`,
  'ratings since a day': `
    MATCH (p:Person)-[r:RATED]->(m:Movie) WHERE r.day >= date('2020-01-01')
    RETURN p.name, m.title, r.day ORDER BY r.day`,
  'ratings of each year': `
    MATCH (:Person)-[r:RATED]->(:Movie) WHERE r.day IS NOT NULL
    RETURN r.day.year AS year, count(*) AS ratings ORDER BY year`,
  'parts of a date': "WITH date('2024-02-29') AS d RETURN d.year, d.month, d.day, toString(d) AS text",
  'days between': "RETURN duration.inDays(date('2024-01-01'), date('2024-03-01')).days AS days",
  percentiles: `
    MATCH (m:Movie)
    RETURN percentileCont(m.rating, 0.5) AS median, percentileDisc(m.rating, 0.9) AS high, stDev(m.rating) AS spread`,
  'a filter that may be off': [
    'MATCH (m:Movie) WHERE m.released IN $years AND ($text IS NULL OR m.title CONTAINS $text) RETURN m.title',
    { years: [1986n, 1999n, 2003n], text: null },
  ],
  'first and last names': `
    MATCH (p:Person) WITH p, split(p.name, ' ') AS parts
    RETURN head(parts) AS first, last(parts) AS family, size(parts) AS count ORDER BY family`,
  'texts in any case': [
    'MATCH (p:Person) WHERE toLower(p.name) CONTAINS toLower($text) RETURN substring(p.name, 0, 3) AS short',
    { text: 'A' },
  ],
  'keys and properties':
    'MATCH (m:Movie {id: 2}) UNWIND keys(m) AS key RETURN key, properties(m).title AS title ORDER BY key',
  'roles that begin alike': `
    MATCH (p:Person)-[r:ACTED_IN]->(:Movie)
    WHERE any(role IN r.roles WHERE role STARTS WITH 'Dr')
    RETURN p.name, r.roles[0] AS first`,
  'paths of people with years': `
    MATCH p = (:Person {id: 1})-[:KNOWS*1..3]->(x:Person)
    WHERE all(n IN nodes(p) WHERE n.born > 1940)
    RETURN x.name, length(p) AS steps ORDER BY steps, x.name`,
  'a pattern with a property': `
    MATCH (p:Person) WHERE (p)-[:ACTED_IN]->(:Movie {released: 1999}) RETURN p.name`,
  'never in a genre': `
    MATCH (p:Person), (g:Genre {name: 'Drama'})
    WHERE NOT (p)-[:ACTED_IN]->()-[:IN_GENRE]->(g)
    RETURN p.name ORDER BY p.name`,
  'people to meet': `
    MATCH (me:Person {id: 1})-[:KNOWS]-(friend)-[:KNOWS]-(other)
    WHERE NOT (me)-[:KNOWS]-(other) AND other <> me
    RETURN other.name, count(DISTINCT friend) AS common ORDER BY common DESC, other.name`,
  casts: `
    MATCH (m:Movie)<-[r:ACTED_IN]-(p:Person)
    RETURN m.title, collect({name: p.name, roles: r.roles}) AS cast ORDER BY m.title`,
  squares: 'UNWIND range(1, 3) AS i RETURN i, [x IN range(1, i) | x * x] AS squares',
  'a page of movies': `
    MATCH (m:Movie) RETURN m.title ORDER BY coalesce(m.rating, 0) DESC, m.title SKIP 1 LIMIT 3`,
  'people beside ratings': `
    MATCH (p:Person)-[r:RATED]->(m:Movie)
    RETURN m.title, count(DISTINCT p) AS people, avg(r.stars) AS stars, min(r.day) AS first, collect(r.note) AS notes`,
  'labels as conditions': 'MATCH (n) WHERE n:Movie OR n:Genre RETURN labels(n)[0] AS label, count(*) AS count',
  'conditions in patterns': `
    MATCH (a:Person WHERE a.born > 1950)-[k:KNOWS]->(b:Person)
    WHERE a <> b
    RETURN a.name, startNode(k) = a AS starts, b.nick`,
};
