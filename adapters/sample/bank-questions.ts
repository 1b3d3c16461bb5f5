/** A question an analyst would ask the graph of `bankMapping`, and its answer in Cypher. */
interface Question {
  readonly question: string;
  readonly cypher: string;
}

const rings: Question = {
  question: 'Which money went round in a ring within three days, always just below 10,000?',
  cypher: `MATCH (last:Account)-[opening:TRANSFER]->(first:Account)
WHERE opening.amount >= 9000 AND opening.amount < 10000
MATCH (first)-[hops:TRANSFER*2..5 (hop, via | WHERE hop.amount >= 8000 AND hop.amount < 10000
  | {hop.amount, hop.made_at}, {via.account_id})]->(last)
WITH opening, first, last, properties(nodes(hops), 'account_id') AS via,
  properties(rels(hops), 'amount') AS amounts, properties(rels(hops), 'made_at') AS times
WHERE times = list_sort(times) AND list_extract(times, 1) > opening.made_at AND times[-1] <= opening.made_at + interval('3 days')
RETURN list_concat([last.account_id, first.account_id], via) AS ring, opening.amount AS sent, amounts[-1] AS came_back,
  opening.made_at AS began_at, times[-1] AS ended_at
ORDER BY sent DESC LIMIT 10`,
};

const sharedDevices: Question = {
  question: 'Which accounts share a device with a flagged one?',
  cypher: `MATCH (flagged:Account {flagged: true})-[:USES]->(device:Device)<-[:USES]-(account:Account)
WHERE NOT account.flagged
RETURN device.device_id AS device, flagged.account_id AS flagged_account, account.account_id AS account,
  account.balance AS balance
ORDER BY balance DESC LIMIT 10`,
};

const central: Question = {
  question: 'Which accounts matter most in the flow of money?',
  cypher: `MATCH (account:Account)<-[:OWNS {role: 'holder'}]-(holder:Customer)
WITH account, holder ORDER BY account.rank DESC LIMIT 10
RETURN account.account_id AS account, account.rank AS rank, holder.name AS holder, holder.kind AS kind,
  holder.country AS country, account.flagged AS flagged
ORDER BY rank DESC`,
};

/** The rings with their accounts and transfers, for a drawing, on every kind. */
export const RINGS_TO_DRAW = `MATCH (a:Account)-[first:TRANSFER]->(b:Account)-[next:TRANSFER]->(c:Account)-[last:TRANSFER]->(d:Account)
WHERE first.amount >= 8000 AND first.amount < 10000
  AND next.amount >= 8000 AND next.amount < 10000
  AND last.amount >= 8000 AND last.amount < 10000
RETURN a, first, b, next, c, last, d LIMIT 300`;

/**
 * Rings of transfers, accounts that share a device with a flagged one, and the most central accounts; the last reads
 * the property `rank` of Account, which pagerank has to write first.
 */
export const bankQuestions = [rings, sharedDevices, central] as const;
