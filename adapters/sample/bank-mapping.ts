import { type EdgeDefinition, type NodeDefinition } from '../../domain/mapping';

/** The body of POST /mappings that makes a graph of one of the demo's databases. */
export interface DemoMapping {
  readonly name: string;
  readonly description: string;
  readonly node_definitions: readonly NodeDefinition[];
  readonly edge_definitions: readonly EdgeDefinition[];
}

/**
 * The demo bank as a graph: about 51,000 nodes and 299,000 edges. Devices are in it
 * only when accounts of several customers used them.
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
