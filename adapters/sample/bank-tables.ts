import { sqlString } from '../duckdb/sql-text';
import { COUNTRIES, TRADES } from './names';

const CUSTOMERS = 20_000;
const COMPANIES = 1_200;
const ACCOUNTS = 30_000;
const TRANSFERS = 300_000;
/** Rings of 3, 4, 5 and 6 accounts in turn; the money circulates within three days. */
const RINGS = 24;
const RING_TRANSFERS = 108;
/** Devices shared by unrelated customers; one of the accounts is flagged. */
const SUSPECT_DEVICES = 30;

const list = (texts: readonly string[]): string => `[${texts.map(sqlString).join(', ')}]`;

const countries = COUNTRIES.map(
  ({ name, cities, firstNames, lastNames }) =>
    `{name: ${sqlString(name)}, cities: ${list(cities)}, first_names: ${list(firstNames)}, last_names: ${list(lastNames)}}`,
);

/**
 * Reproducible random numbers: hashes of a row's number and a word. Customers, accounts and devices are numbered from 0
 * internally; the low ones are companies and receive most transfers. Public ids hide the order.
 */
const MACROS = [
  `CREATE TEMP MACRO chance(i, word) AS (hash(xor(hash(i), hash(word))) >> 11)::DOUBLE / 9007199254740992.0`,
  `CREATE TEMP MACRO below(n, i, word) AS floor(n * chance(i, word))::BIGINT`,
  `CREATE TEMP MACRO pick(items, i, word) AS items[1 + below(len(items), i, word)]`,
  `CREATE TEMP MACRO normal(i, word) AS sqrt(-2 * ln(1 - chance(i, word))) * cos(2 * pi() * chance(i, word || '2'))`,
  `CREATE TEMP MACRO log_normal(median, spread, i, word) AS median * exp(spread * normal(i, word))`,
  `CREATE TEMP MACRO customer_key(c) AS 10000 + (c * 7919 + 5) % ${CUSTOMERS}`,
  `CREATE TEMP MACRO account_key(a) AS 'AC-' || (100000 + (a * 7919 + 13) % ${ACCOUNTS})`,
  `CREATE TEMP MACRO device_key(d) AS 'DV-' || (200000 + (d * 7919 + 29) % 30011)`,
  `CREATE TEMP MACRO suspect(n, place, word) AS 2000 + below(28000, n * 10 + place, 'suspect ' || word)`,
  `CREATE TEMP MACRO owner_of(a) AS if(a < ${CUSTOMERS}, a, below(${CUSTOMERS}, a, 'owner'))`,
];

const CUSTOMER = `
  CREATE TABLE customer AS
  WITH numbered AS (
    SELECT c, c < ${COMPANIES} AS is_company, pick([${countries.join(', ')}], c, 'country') AS country
    FROM range(${CUSTOMERS}) AS r(c)
  )
  SELECT
    customer_key(c) AS customer_id,
    if(is_company,
      pick(country.last_names, c, 'last') || ' ' || pick(${list(TRADES)}, c, 'trade'),
      pick(country.first_names, c, 'first') || ' ' || pick(country.last_names, c, 'last')) AS name,
    if(is_company, 'company', 'person') AS kind,
    pick(country.cities, c, 'city') AS city,
    country.name AS country,
    if(is_company, NULL, date '1940-01-01' + below(24000, c, 'born')::INT) AS born_on,
    date '2010-01-01' + below(5400, c, 'joined')::INT AS customer_since,
    CASE WHEN chance(c, 'risk') < 0.8 THEN 'low' WHEN chance(c, 'risk') < 0.96 THEN 'medium' ELSE 'high' END AS risk
  FROM numbered ORDER BY customer_id`;

const ACCOUNT = `
  CREATE TABLE account AS
  WITH numbered AS (
    SELECT a, owner_of(a) < ${COMPANIES} AS is_company,
      chance(a, 'flag') < 0.0015 OR a IN (SELECT account FROM suspect_login WHERE is_first) AS flagged
    FROM range(${ACCOUNTS}) AS r(a)
  )
  SELECT
    account_key(a) AS account_id,
    if(is_company, 'business', pick(['current', 'current', 'current', 'savings'], a, 'kind')) AS kind,
    'EUR' AS currency,
    round(log_normal(if(is_company, 40000, 2500), 1.2, a, 'balance'), 2)::DECIMAL(14, 2) AS balance,
    date '2015-01-01' + below(3600, a, 'opened')::INT AS opened_on,
    flagged,
    if(flagged, pick(['police inquiry', 'reported as fraud', 'false papers', 'sanctions list'], a, 'reason'), NULL) AS flag_reason
  FROM numbered ORDER BY account_id`;

const ACCOUNT_OWNER = `
  CREATE TABLE account_owner AS
  SELECT customer_key(owner_of(a)) AS customer_id, account_key(a) AS account_id, 'holder' AS role
  FROM range(${ACCOUNTS}) AS r(a)
  UNION ALL
  SELECT customer_key(${COMPANIES} + (owner_of(a) + 1) % ${CUSTOMERS - COMPANIES}), account_key(a), 'joint holder'
  FROM range(${ACCOUNTS}) AS r(a) WHERE owner_of(a) >= ${COMPANIES} AND chance(a, 'joint') < 0.05
  ORDER BY account_id, role`;

/**
 * Transfer `position` of each ring; the amount shrinks a little with each transfer, and is always just below 10,000.
 */
const RING = `
  CREATE TEMP TABLE ring_hop AS
  WITH ring AS (SELECT r, 3 + r % 4 AS size FROM range(${RINGS}) AS rings(r)),
    hop AS (SELECT r, size, unnest(range(size)) AS position FROM ring)
  SELECT
    suspect(r, position, 'ring') AS payer,
    suspect(r, (position + 1) % size, 'ring') AS payee,
    round((9300 + below(650, r, 'ring')) * (0.985 ** position), 2) AS amount,
    timestamp '2025-01-05 08:00:00' + to_hours(below(4000, r, 'ring start'))
      + to_minutes((position * 64 * 60) // size + below(240, r * 10 + position, 'ring hop')) AS made_at
  FROM hop`;

/** All accounts pay, and companies receive most transfers; most amounts are small, a few very large. */
const TRANSFER = `
  CREATE TABLE transfer AS
  WITH usual AS (
    SELECT i, floor(${ACCOUNTS} * chance(i, 'payer') ** 1.3)::BIGINT AS payer,
      floor(${ACCOUNTS} * chance(i, 'payee') ** 2.5)::BIGINT AS drawn_payee
    FROM range(${TRANSFERS - RING_TRANSFERS}) AS r(i)
  ),
  made AS (
    SELECT i, payer, if(drawn_payee = payer, (payer + 1) % ${ACCOUNTS}, drawn_payee) AS payee,
      round(log_normal(95, 1.4, i, 'amount'), 2) AS amount,
      timestamp '2025-01-01 00:00:00' + to_days(below(180, i, 'day')::INT)
        + to_seconds(floor(86399 * (chance(i, 'h1') + chance(i, 'h2') + chance(i, 'h3')) / 3)) AS made_at,
      CASE WHEN chance(i, 'status') < 0.88 THEN 'booked' WHEN chance(i, 'status') < 0.97 THEN 'rejected' ELSE 'pending' END AS status,
      pick(['mobile', 'mobile', 'online', 'online', 'card', 'standing order', 'branch'], i, 'channel') AS channel,
      pick(['rent', 'groceries', 'salary', 'insurance', 'loan', 'gift', 'holiday', 'invoice ' || below(90000, i, 'invoice')], i, 'text') AS reference
    FROM usual
    UNION ALL
    SELECT -1 - row_number() OVER (ORDER BY made_at, payer), payer, payee, amount, made_at, 'booked', 'online', 'invoice ' || payer FROM ring_hop
  )
  SELECT
    row_number() OVER (ORDER BY made_at, i) AS transfer_id, account_key(payer) AS from_account, account_key(payee) AS to_account,
    amount::DECIMAL(14, 2) AS amount, made_at, status, channel, reference
  FROM made ORDER BY transfer_id`;

const CARD = `
  CREATE TABLE card AS
  SELECT 'CD-' || (300000 + a) AS card_id, account_key(a) AS account_id,
    pick(['debit', 'debit', 'credit'], a, 'card') AS kind,
    date '2021-01-01' + below(1400, a, 'issued')::INT AS issued_on,
    date '2025-07-01' + below(1400, a, 'expires')::INT AS expires_on,
    chance(a, 'blocked') < 0.02 AS blocked
  FROM range(${ACCOUNTS}) AS r(a) WHERE chance(a, 'has card') < 0.8`;

/** Accounts of unrelated customers used from one device; the first of each device is flagged. */
const SUSPECT_LOGIN = `
  CREATE TEMP TABLE suspect_login AS
  SELECT ${CUSTOMERS} + d AS device, suspect(d, position, 'device') AS account, position = 0 AS is_first
  FROM (SELECT d, unnest(range(3 + d % 3)) AS position FROM range(${SUSPECT_DEVICES}) AS r(d))`;

/** People use their own device; in some homes two people share one. */
const LOGIN = `
  CREATE TABLE login AS
  WITH used AS (
    SELECT a AS account, unnest(range(1 + below(4, a, 'logins'))) AS n,
      owner_of(a) + if(chance(owner_of(a), 'home') < 0.06, 1, 0) AS device
    FROM range(${ACCOUNTS}) AS r(a)
    UNION ALL
    SELECT account, unnest(range(100, 103)), device FROM suspect_login
  )
  SELECT row_number() OVER (ORDER BY device, account, n) AS login_id, device_key(device) AS device_id,
    account_key(account) AS account_id,
    timestamp '2025-01-01 00:00:00' + to_seconds(below(180 * 86400, account * 1000 + n, 'login')) AS logged_in_at
  FROM used ORDER BY login_id`;

const DEVICE = `
  CREATE TABLE device AS
  SELECT device_id, pick(['phone', 'phone', 'laptop', 'tablet'], device_id, 'kind') AS kind,
    pick(['Android', 'iOS', 'Windows', 'Linux', 'macOS'], device_id, 'system') AS system, min(logged_in_at)::DATE AS first_seen
  FROM login GROUP BY device_id ORDER BY device_id`;

/** The statements that fill an empty database with the demo bank, in order. */
export const BANK_STATEMENTS: readonly string[] = [
  ...MACROS,
  SUSPECT_LOGIN,
  CUSTOMER,
  ACCOUNT,
  ACCOUNT_OWNER,
  RING,
  TRANSFER,
  CARD,
  LOGIN,
  DEVICE,
];
