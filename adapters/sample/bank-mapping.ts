import { type EdgeDefinition, type NodeDefinition } from '../../domain/mapping';

/** The body of POST /mappings for a graph of one of the demo's databases. */
export interface DemoMapping {
  readonly name: string;
  readonly description: string;
  readonly node_definitions: readonly NodeDefinition[];
  readonly edge_definitions: readonly EdgeDefinition[];
}

/**
 * The demo bank as a graph: about 51,000 nodes and 299,000 edges. It contains only devices that accounts of several
 * customers used.
 */
export const bankMapping: DemoMapping = {
  name: 'Money flows',
  description: 'Who owns which account, what moves between accounts, and which accounts share a device',
  node_definitions: [
    {
      label: 'Customer',
      sql: 'SELECT customer_id, name, kind, city, country, risk FROM bank.main.customer',
      primary_key: { name: 'customer_id', type: 'INT64' },
      properties: [
        { name: 'name', type: 'STRING' },
        { name: 'kind', type: 'STRING' },
        { name: 'city', type: 'STRING' },
        { name: 'country', type: 'STRING' },
        { name: 'risk', type: 'STRING' },
      ],
    },
    {
      label: 'Account',
      sql: 'SELECT account_id, kind, CAST(balance AS double) AS balance, opened_on, flagged FROM bank.main.account',
      primary_key: { name: 'account_id', type: 'STRING' },
      properties: [
        { name: 'kind', type: 'STRING' },
        { name: 'balance', type: 'DOUBLE' },
        { name: 'opened_on', type: 'DATE' },
        { name: 'flagged', type: 'BOOL' },
      ],
    },
    {
      label: 'Device',
      sql: `SELECT device_id, any_value(d.kind) AS kind
FROM bank.main.device d JOIN bank.main.login USING (device_id) JOIN bank.main.account_owner USING (account_id)
GROUP BY device_id HAVING count(DISTINCT customer_id) FILTER (WHERE role = 'holder') > 1`,
      primary_key: { name: 'device_id', type: 'STRING' },
      properties: [{ name: 'kind', type: 'STRING' }],
    },
  ],
  edge_definitions: [
    {
      type: 'OWNS',
      sql: 'SELECT customer_id, account_id, role FROM bank.main.account_owner',
      from_node: 'Customer',
      to_node: 'Account',
      from_key: 'customer_id',
      to_key: 'account_id',
      properties: [{ name: 'role', type: 'STRING' }],
    },
    {
      type: 'TRANSFER',
      sql: `SELECT from_account, to_account, CAST(amount AS double) AS amount, made_at, channel
FROM bank.main.transfer WHERE status = 'booked'`,
      from_node: 'Account',
      to_node: 'Account',
      from_key: 'from_account',
      to_key: 'to_account',
      properties: [
        { name: 'amount', type: 'DOUBLE' },
        { name: 'made_at', type: 'TIMESTAMP' },
        { name: 'channel', type: 'STRING' },
      ],
    },
    {
      type: 'USES',
      sql: `WITH shared AS (
  SELECT device_id FROM bank.main.login JOIN bank.main.account_owner USING (account_id)
  WHERE role = 'holder' GROUP BY device_id HAVING count(DISTINCT customer_id) > 1
)
SELECT account_id, device_id, count(*) AS logins
FROM bank.main.login JOIN shared USING (device_id) GROUP BY account_id, device_id`,
      from_node: 'Account',
      to_node: 'Device',
      from_key: 'account_id',
      to_key: 'device_id',
      properties: [{ name: 'logins', type: 'INT64' }],
    },
  ],
};

/** A typical analyst's question on the graph of `bankMapping`, and its Cypher query. */
interface Question {
  readonly question: string;
  readonly cypher: string;
}

const rings: Question = {
  question: 'Which money went round in a ring within three days, always just below 10,000?',
  cypher: `MATCH (sender:Account)-[opening:TRANSFER]->(first:Account)
WHERE opening.amount >= 9000 AND opening.amount < 10000
MATCH p = (first)-[hops:TRANSFER*2..5]->(sender)
WHERE all(hop IN hops WHERE hop.amount >= 8000 AND hop.amount < 10000)
WITH opening, [sender.account_id] + [account IN nodes(p)[..-1] | account.account_id] AS ring,
  [hop IN hops | hop.made_at] AS times, [hop IN hops | hop.amount] AS amounts
WHERE times[0] > opening.made_at AND times[-1] <= opening.made_at + duration('P3D')
  AND all(i IN range(1, size(times) - 1) WHERE times[i - 1] <= times[i])
RETURN ring, opening.amount AS sent, amounts[-1] AS came_back, opening.made_at AS began_at, times[-1] AS ended_at
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

/** The rings with their accounts and transfers, for drawing, on every kind. */
export const RINGS_TO_DRAW = `MATCH (a:Account)-[first:TRANSFER]->(b:Account)-[next:TRANSFER]->(c:Account)-[last:TRANSFER]->(d:Account)
WHERE first.amount >= 8000 AND first.amount < 10000
  AND next.amount >= 8000 AND next.amount < 10000
  AND last.amount >= 8000 AND last.amount < 10000
RETURN a, first, b, next, c, last, d LIMIT 300`;

/**
 * Rings of transfers, accounts that share a device with a flagged account, and the most central accounts; the last
 * reads the property `rank` of Account, which pagerank must write first.
 */
export const bankQuestions = [rings, sharedDevices, central] as const;
