import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { queryDatabase } from '../../support/at-rest';
import { type CommandLine, commandLine, commandProgram, type Ended } from '../../support/command-line';
import { expectRight } from '../../support/given-when-then';
import { withLogOf } from '../../support/log-of';
import { parkEvents } from '../../support/park-events';
import { type RunningSystem, TIMEOUT_MS } from '../../support/running-system';
import { endlessMapping, townMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of one-system.test.ts. */
export const commands = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let home: string;
  let run: CommandLine;
  /** Runs commands as a user, whom the environment names. */
  const as =
    (username: string) =>
    (...words: readonly string[]): Promise<Ended> =>
      run(words, { environment: { ROWGRAPH_URL: system.url, ROWGRAPH_USERNAME: username } });
  const ada = as('ada');
  const olivia = as('olivia');

  beforeAll(async () => {
    system = shared();
    home = await mkdtemp(join(tmpdir(), 'rowgraph-cli-'));
    run = commandLine(home);
  });
  afterAll(async () => {
    await olivia('config', 'set', 'concurrency', 'per_analyst=5');
    await olivia('config', 'set', 'lifecycle', 'instance.max_ttl=P7D');
    await rm(home, { recursive: true });
  });

  const succeed = async (ended: Promise<Ended>): Promise<string> => {
    const { code, out, errors } = await ended;
    expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' });
    return out;
  };

  /** A mapping of the town that the user owns; returns its id. */
  const townOf = async (username: string, name: string): Promise<string> => {
    const { data } = await system.as(username).call('createMapping', { body: { ...townMapping, name } });
    return String(data.id);
  };
  const idIn = (text: string): string => /\d+/.exec(text)?.[0] ?? '';

  describe('logging in', () => {
    it('is needed once; the file is readable by its owner only', async () => {
      const program = commandProgram(home);
      const before = await program(['whoami'], { environment: { ROWGRAPH_URL: system.url } });
      expect(before).toEqual({
        code: 1,
        out: '',
        errors:
          `Not logged in to ${system.url}.\n` +
          `Log in with: rowgraph login --url ${system.url} --username <name>, or --key <key>, or --token <token>.\n`,
      });

      await succeed(program(['login', '--url', `${system.url}/api/`, '--username', 'ada']));
      const file = join(home, '.config', 'rowgraph', 'config.json');
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url: system.url, username: 'ada' });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await succeed(program(['whoami', '--tsv']))).toContain('username\tada\nname\t\nrole\tanalyst\n');

      await succeed(program(['login', '--username', 'bob']));
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url: system.url, username: 'bob' });

      await succeed(run(['logout']));
      expect((await run(['whoami'])).code).toBe(1);
    });

    it('an unknown user is rejected and not saved', async () => {
      const { code, errors } = await run(['login', '--url', system.url, '--username', 'mallory']);
      expect(code).toBe(1);
      expect(errors).toContain('(UNAUTHORIZED)');
      await expect(stat(join(home, '.config', 'rowgraph', 'config.json'))).rejects.toThrow('ENOENT');
    });

    it('exits with 3 when the server does not answer, and with 2 for an invalid address', async () => {
      const unreachable = await run(['login', '--url', 'http://127.0.0.1:1', '--username', 'ada']);
      expect(unreachable.code).toBe(3);
      expect(unreachable.errors).toContain('No answer from http://127.0.0.1:1: connect ECONNREFUSED');
      expect(await run(['login', '--url', 'somewhere', '--username', 'ada'])).toMatchObject({ code: 2 });
    });

    it('sends a saved identity only to its own server', async () => {
      await succeed(run(['login', '--url', system.url, '--username', 'ada']));
      const { code, errors } = await run(['whoami', '--url', 'http://127.0.0.1:1']);
      expect(code).toBe(1);
      expect(errors).toContain('Not logged in to http://127.0.0.1:1.');
      await succeed(run(['logout']));
    });
  });

  describe('invalid usage', () => {
    it('exits with 2 and without a stack trace in the real program', async () => {
      const { code, errors } = await commandProgram(home)(['mapings']);
      expect(code).toBe(2);
      expect(errors).toBe("error: unknown command 'mapings'\n(Did you mean mappings?)\n(add --help for usage)\n");
    });

    it.each([
      [['mapings'], "unknown command 'mapings'"],
      [['instances', 'list', '--limit', 'many'], 'It must be an integer.'],
      [['instances', 'create', '--mapping', '1', '--ttl', 'soon'], '--ttl soon is not a duration'],
      [['instances', 'create'], '--mapping <id or name>'],
      [['mappings', 'create'], '-f <file>'],
      [['query', '1', 'RETURN $x', '-p', 'x'], 'Invalid parameter "x"'],
      [['config', 'get', 'colour'], 'Unknown configuration "colour"'],
    ])('%j exits with 2 and an error', async (words, complaint) => {
      const { code, out, errors } = await ada(...words);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(errors).toContain(complaint);
      expect(errors).not.toMatch(/ {4}at /);
    });
  });

  describe('a mapping', () => {
    it('is written in YAML, changed, compared, copied and deleted by its name', async () => {
      const { name, ...definitions } = townMapping;
      const file = join(home, 'town.yaml');
      await writeFile(file, stringify(definitions));
      const created = await succeed(ada('mappings', 'create', '-f', file, '--name', name, '--ttl', '30d'));
      const id = idIn(created);
      expect(created).toBe(`Created mapping ${id} "Town" (version 1).\n`);
      const shown = await succeed(ada('mappings', 'show', 'Town'));
      expect(shown).toContain('\nlifetime     P30D\n');
      expect(shown).toMatch(/\nPerson +id INT64 +name STRING, age INT64 +SELECT id, name, age FROM people\n/);

      const body = await succeed(ada('mappings', 'show', 'Town', '--as-file'));
      expect(parse(body)).toMatchObject(townMapping);
      expect(body).toMatch(/^name: Town\n/);
      const changed = {
        node_definitions: [{ ...townMapping.node_definitions[0], sql: 'SELECT id, name, 1 AS age FROM people' }],
      };
      await writeFile(file, JSON.stringify(changed));
      expect(await succeed(ada('mappings', 'update', 'Town', '-f', file, '--change', 'ages are private'))).toBe(
        `Updated mapping ${id} (version 2).\n`,
      );
      expect(await succeed(ada('mappings', 'diff', id, '1', '2'))).toBe(
        [
          `Mapping ${id}, version 1 to 2`,
          '~ node Person',
          '    - sql: SELECT id, name, age FROM people',
          '    + sql: SELECT id, name, 1 AS age FROM people',
          '',
        ].join('\n'),
      );
      const copied = await succeed(ada('mappings', 'copy', 'Town', 'Village'));
      const copy = idIn(copied);
      expect(copied).toBe(`Created mapping ${copy} "Village", a copy of mapping ${id}.\n`);
      expect(await succeed(ada('mappings', 'list', '--sort', 'name', '--tsv'))).toMatch(
        new RegExp(`^id\tname\towner\tversion\tsnapshots\tcreated\n(.*\n)*${copy}\tVillage\tada\t1\t0\t`),
      );
      expect(await succeed(ada('mappings', 'delete', 'Village', '--yes'))).toBe(`Deleted mapping ${copy}.\n`);
    });

    it('a mapping with errors is rejected field by field before it is sent, or with the message of the server', async () => {
      const wrong = { ...townMapping, node_definitions: [{ label: 'Person', sql: 7 }] };
      const broken = await run(['mappings', 'create', '-f', '-'], {
        input: JSON.stringify(wrong),
        environment: { ROWGRAPH_USERNAME: 'ada', ROWGRAPH_URL: system.url },
      });
      expect(broken.code).toBe(1);
      expect(broken.errors).toContain(
        '  node_definitions.0.sql must be a string, not 7\n  node_definitions.0.primary_key is required',
      );

      const misspelt = {
        name: 'Town',
        node_definitions: [
          { label: 'Town', sql: 'SELECT 1 AS id', primary_key: { name: 'id', type: 'INT64' }, propertys: [] },
        ],
      };
      const refused = await run(['mappings', 'create', '-f', '-'], {
        input: JSON.stringify(misspelt),
        environment: { ROWGRAPH_USERNAME: 'ada', ROWGRAPH_URL: system.url },
      });
      expect(refused).toMatchObject({
        code: 1,
        errors: '- is not valid:\n  node_definitions.0.propertys is not a field; write properties\n',
      });

      const noJson = await run(['mappings', 'create', '-f', '-'], {
        input: '{"name": ',
        environment: { ROWGRAPH_USERNAME: 'ada', ROWGRAPH_URL: system.url },
      });
      expect(noJson).toMatchObject({ code: 1, out: '' });
      expect(noJson.errors).toContain('- is neither JSON nor YAML');
      expect((await ada('mappings', 'create', '-f', 'nowhere.yaml')).errors).toContain(
        'Cannot read nowhere.yaml: ENOENT',
      );
    });

    it('is checked with the engine before it is created or changed, unless --no-check is given', async () => {
      const wrong = {
        ...townMapping,
        name: 'Wrong town',
        node_definitions: [
          { ...townMapping.node_definitions[0], primary_key: { name: 'name', type: 'INT64' }, properties: [] },
          { label: 'Pet', sql: 'SELECT id,\n  nam FROM people', primary_key: { name: 'id', type: 'INT64' } },
        ],
        edge_definitions: [
          { ...townMapping.edge_definitions[0], to_key: 'c', properties: [{ name: 'since', type: 'INT64' }] },
        ],
      };
      const file = join(home, 'wrong.yaml');
      await writeFile(file, stringify(wrong));
      const { code, out, errors } = await ada('mappings', 'create', '-f', file);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(errors).toMatch(/^.*wrong\.yaml is not a valid mapping:\n/);
      expect(errors).toContain('  node Person: the column name is varchar, the key is INT64; ');
      expect(errors).toMatch(
        /\n {2}node Pet: line 2, column 3: Referenced column "nam" not found[^]*\n {6}nam FROM people\n {6}\^\n/,
      );
      expect(errors).toContain('  edge KNOWS: the query does not return the column c; it returns a, b, since\n');
      expect(errors).toContain('  edge KNOWS: the column since is date, the property is INT64; ');
      await townOf('ada', 'Right town');
      expect(await ada('mappings', 'update', 'Right town', '-f', file, '--change', 'x')).toMatchObject({
        code: 1,
        out: '',
      });
      expect(await succeed(ada('mappings', 'create', '-f', file, '--no-check'))).toContain('"Wrong town"');
      const names = ['Wrong town', 'Right town'];
      expect(await succeed(ada('mappings', 'delete', ...names, '--yes'))).toMatch(
        /^Deleted mapping \d+\.\nDeleted mapping \d+\.\n$/,
      );
    });

    it('a missing, foreign or ambiguous mapping is reported', async () => {
      expect((await ada('mappings', 'show', '99')).errors).toBe(
        'Unknown mapping 99; it may have been deleted. List the mappings. (RESOURCE_NOT_FOUND)\n',
      );
      const id = await townOf('ada', 'Twin town');
      expect((await ada('mappings', 'show', 'twin tow')).errors).toContain('\nDid you mean "Twin town"?\n');
      expect((await ada('instances', 'create', '--mapping', id, '--cpu', '99')).errors).toMatch(/^--cpu must be /);
      expect((await as('bob')('mappings', 'delete', id, '--yes')).errors).toContain('(PERMISSION_DENIED)');
      await succeed(as('bob')('mappings', 'copy', id, 'Twin town'));
      const twice = await ada('mappings', 'show', 'Twin town');
      expect(twice.errors).toMatch(
        /^2 mappings are named "Twin town": \d+ \(of bob\), \d+ \(of ada\)\.\nUse the id\.\n$/,
      );
    });
  });

  describe('an instance', () => {
    it('is created with visible progress, queried in every format, resized and deleted', async () => {
      const mapping = await townOf('ada', 'Town of an instance');
      const made = await ada('instances', 'create', '--mapping', mapping, '--name', 'My town', '--ttl', '8h', '--wait');
      expect(made.code).toBe(0);
      expect(made.errors).toContain('  exporting: done, 200 rows\n');
      expect(made.errors).toContain('  loading edges: done');
      expect(made.out).toContain('\ngraph       100 nodes, 100 edges\n');
      const id = idIn(made.out);
      expect((await ada('export-jobs', 'list', '--status', 'completed')).out).toMatch(/node Person +completed/);

      const cypher = 'MATCH (p:Person {id: $id}) RETURN p.id AS id, p.name AS name, 9007199254740993 AS big';
      const ask = (...words: readonly string[]) => ada('query', 'My town', cypher, '-p', 'id=7', ...words);
      expect((await ask()).out).toBe(
        'id  name                 big\n──  ──────  ────────────────\n 7  name 7  9007199254740993\n',
      );
      expect((await ask()).errors).toMatch(/^1 row in \d+ ms\n$/);
      expect((await ask('--tsv')).out).toBe('id\tname\tbig\n7\tname 7\t9007199254740993\n');
      expect((await ask('--json')).out).toContain('"rows":[[7,"name 7",9007199254740993]]');
      expect((await ada('query', 'My town', 'RETURN $x IS NULL', '-p', 'x=null', '--tsv')).out).toContain('true');
      expect(await ada('query', 'My town', 'RETURN 1', '--csv', '--limit', '5')).toEqual({
        code: 2,
        out: '',
        errors: '--limit does not apply to exports; write LIMIT in the query.\n',
      });
      const piped = await run(['query', 'My town', '--csv'], {
        input: 'RETURN \'a "b", c\' AS x, null AS y',
        environment: { ROWGRAPH_USERNAME: 'ada', ROWGRAPH_URL: system.url },
      });
      expect(piped.out).toBe('x,y\n"a ""b"", c",\n');
      expect((await ada('query', 'My town', 'CREATE (:Person)')).errors).toContain(
        'CREATE writes, and the graph is read-only',
      );
      expect((await ada('query', 'My town', 'MATCH (p)\nRETRN p')).errors).toMatch(
        /^Line 2, column 1: .*RETRN.* \(GRAPHDB_A_ERROR\)\n {2}RETRN p\n {2}\^\n$/,
      );
      expect((await ada('query', 'My town', 'EXPLAIN MATCH (p) RETURN p')).out).toMatch(/^┌─+┐\n/);
      expect((await ada('query', 'My town', 'EXPLAIN MATCH (p:Persn) RETURN p')).errors).toContain('edge type Persn:');
      expect((await ada('query', 'My town', ' ')).errors).toContain('The query is missing');
      const neighbours = (...words: readonly string[]) => ada('neighbours', 'My town', 'Person:7', ...words);
      expect((await neighbours()).out).toMatch(/^Edges by type\n(.*\n)+?KNOWS +out +Person +1\nKNOWS +in +Person +1\n/);
      expect((await neighbours('--direction', 'out', '--csv')).out).toBe('type,from,to\nKNOWS,Person:7,Person:50\n');
      expect((await neighbours('--limit', '0')).errors).toContain('There are more edges: --limit <n>');
      expect((await ada('neighbours', 'My town', 'Persn:7')).errors).toContain('Persn:7');
      const missing = await ada('neighbours', 'My town', 'Person:7', 'Person:4711');
      expect([missing.code, missing.errors]).toEqual([1, 'The answer has no node named Person:4711.\n']);
      expect((await ada('complete', '--', 'query', 'My')).out).toBe('My town\n');
      expect((await ada('status', 'My town')).out).toMatch(/\nmemory +\d+ MB\ndisk +\d+ [KM]B\n/);
      expect((await ada('schema', 'My town')).out).toMatch(/^Nodes \(100\)\nlabel +count +key +properties\n/);

      expect(await succeed(ada('instances', 'cpu', 'My town', '3'))).toBe(`Instance ${id} has 3 cores.\n`);
      expect((await ada('instances', 'events', 'My town')).out).toContain('old_cpu_cores 2, new_cpu_cores 3');
      expect(await succeed(ada('instances', 'extend', 'My town', '--ttl', '2d'))).toContain(': P2D from creation');
      expect(await succeed(ada('instances', 'limits'))).toMatch(/^ada has 1 of \d instances; \d available/);
      expect((await ada('mappings', 'tree', mapping)).out).toContain(`└─ instance ${id} My town running`);
      expect((await ada('mappings', 'delete', mapping, '--yes')).errors).toContain('(RESOURCE_HAS_DEPENDENCIES)');
      await succeed(ada('favorites', 'add-instance', 'My town'));
      expect((await ada('favorites', 'list', '--tsv')).out).toContain(`instance\t${id}\tMy town\tada`);

      const saving = ada('queries', 'save', mapping, 'Old people', '--query', 'MATCH (p) WHERE p.age > 60 RETURN p');
      expect(await succeed(saving)).toBe(`Saved the query Old people of mapping ${mapping}.\n`);
      expect((await ada('queries', 'list', mapping, '--tsv')).out).toContain('Old people\tMATCH (p) WHERE');
      await succeed(ada('queries', 'delete', mapping, 'Old people'));

      const unasked = await commandProgram(home)(['instances', 'delete', id], {
        environment: { ROWGRAPH_URL: system.url, ROWGRAPH_USERNAME: 'ada' },
      });
      expect(unasked).toEqual({
        code: 2,
        out: '',
        errors: `Delete instance ${id}? Confirmation is required: add --yes. Nothing was changed.\n`,
      });
      const some = await ada('instances', 'delete', 'My town', '999999', '--yes', '--json');
      expect([some.code, JSON.parse(some.out)]).toEqual([1, [{ id: Number(id), deleted: true }]]);
      expect(JSON.parse(some.errors)).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND' } });
      expect((await ada('query', id, 'RETURN 1')).errors).toContain(`Unknown instance ${id};`);
    });

    it('continues to start after Ctrl-C, which prints how to follow it', async () => {
      const input = JSON.stringify(endlessMapping);
      const environment = { ROWGRAPH_USERNAME: 'ada', ROWGRAPH_URL: system.url };
      await succeed(run(['mappings', 'create', '-f', '-'], { input, environment }));
      const interrupted = commandProgram(home, 'exporting: ');
      const { code, errors } = await interrupted(['instances', 'create', '-m', 'Endless', '-w'], { environment });
      expect(code).toBe(130);
      const id = /See: rowgraph instances wait (\d+)/.exec(errors)?.[1] ?? '';
      expect((await ada('instances', 'show', id)).out).toContain('waiting_for_snapshot');
      expect((await ada('query', id, 'RETURN 1')).errors).toBe(
        `Instance ${id} is not running (waiting_for_snapshot).\nNext: rowgraph instances wait ${id}\n`,
      );
      await succeed(ada('instances', 'delete', id, '--yes'));
    });
  });

  describe('algorithms', () => {
    const start = async (name: string, kind: string): Promise<void> => {
      const mapping = await townOf('ada', name);
      await succeed(ada('instances', 'create', '--mapping', mapping, '--kind', kind, '--wait'));
    };

    it('algorithms of DuckDB are in one list, store or print their values, and report errors', async () => {
      await start('A', 'duckdb');
      const listed = await succeed(ada('algorithms', 'list', 'A', '--tsv'));
      expect(listed).toMatch(/^name\tnative\t.*\npagerank\tyes\tcentrality\t/);
      expect(listed).toMatch(/\ndegree_centrality\t\tcentrality\t/);
      expect(await succeed(ada('algorithms', 'show', 'A', 'pagerank'))).toMatch(/\n--label +string +required /);

      const run = (...words: readonly string[]) => ada('algorithms', 'run', 'A', ...words);
      expect((await run('pagerang')).errors).toContain('did you mean pagerank? (ALGORITHM_NOT_FOUND)');
      expect(await run('pagerank', '--wait')).toMatchObject({ code: 2, out: '' });
      expect((await run('pagerank', '-l', 'Person', '--write-to', 'rank', '-p', 'dampin=1')).errors).toMatch(
        /^pagerank does not support -p dampin\.\nSupported: --label, .*-p damping/,
      );
      const stored = await succeed(run('pagerank', '-l', 'Person', '--write-to', 'rank', '-p', 'damping=0.9', '-w'));
      expect(stored).toMatch(/\nproperty +rank\nnodes updated +100\n$/);
      const printed = await succeed(run('degree_centrality', '-l', 'Person', '-w', '--csv'));
      const values = printed.trim().split('\n').slice(1).map((line) => Number(line.split(',')[1])); // prettier-ignore
      expect(values).toEqual([...values].sort((one, other) => other - one));
      expect(values).toHaveLength(100);
      expect((await run('degree_centrality', '-w', '--top', '2')).errors).toContain('98 more: ');
      expect((await run('degree_centrality', '--write-to', 'd', '--top', '2')).code).toBe(2);
      expect((await run('degree_centrality', '-w', '--top', '2', '--csv')).out.trim().split('\n')).toHaveLength(3);

      const history = (await succeed(ada('algorithms', 'history', 'A', '--tsv'))).split('\n');
      expect(history.map((line) => line.split('\t')[1])).toEqual([
        'algorithm',
        ...['degree_centrality', 'degree_centrality', 'degree_centrality', 'pagerank', undefined],
      ]);
      const id = history[3]?.split('\t')[0] ?? '';
      expect(await succeed(ada('algorithms', 'status', 'A', id, '--csv'))).toBe(printed);
      expect((await ada('algorithms', 'cancel', 'A', id)).errors).toContain('(EXECUTION_NOT_FOUND)');
      await succeed(ada('instances', 'delete', 'A', '--yes'));
    });

    it('algorithms of FalkorDB store their values, and exclude library functions', async () => {
      await start('B', 'falkordb');
      expect(await succeed(ada('algorithms', 'list', 'B', '--tsv'))).toMatch(/\nwcc\tyes\tcommunity\tproperty\t/);
      const run = (...words: readonly string[]) => ada('algorithms', 'run', 'B', ...words);
      expect((await run('wcx', '--write-to', 'part')).errors).toContain('available: pagerank, betweenness, wcc, cdlp.');
      expect((await run('wcc', '--write-to', 'part', '--weight', 'since')).errors).toContain(
        'graphdb_b does not support --weight',
      );
      expect((await run('wcc')).errors).toContain('--write-to <property>');
      expect(await succeed(run('wcc', '--write-to', 'part', '-l', 'Person', '-w'))).toMatch(/\nnodes updated +100\n$/);
      expect((await ada('query', 'B', 'MATCH (p) WHERE p.part IS NULL RETURN count(p) AS n', '--tsv')).out).toBe(
        'n\n0\n',
      );
      expect(await succeed(ada('algorithms', 'history', 'B', '--tsv'))).toMatch(/\twcc\tcompleted\tada\t/);
      expect((await ada('algorithms', 'show', 'B', 'none')).errors).toContain('Unknown algorithm none;');
      await succeed(ada('instances', 'delete', 'B', '--yes'));
    });
  });

  describe('the catalog', () => {
    it('is browsed level by level, and searched for tables and columns', async () => {
      await succeed(olivia('catalog', 'refresh'));
      await waitFor(
        'the catalog is cached',
        async () => (await ada('catalog', 'browse', 'town')).code === 0,
        TIMEOUT_MS,
      );
      expect((await ada('catalog', 'browse', '--tsv')).out).toMatch(/^catalog\tschemas\tas of\n(.*\n)*town\t1\t/);
      expect((await ada('catalog', 'browse', 'town.main')).out).toContain('town.main.people          3\n');
      expect((await ada('catalog', 'browse', 'town.main.friends')).out).toMatch(/\nsince +date +yes\n/);
      expect((await ada('catalog', 'search', 'PEO', '--tsv')).out).toBe('table\tcolumns\ntown.main.people\t3\n');
      expect((await ada('catalog', 'search', 'sin', '--columns', '--tsv')).out).toContain('town.main.friends.since\t');
      expect((await ada('catalog', 'browse', 'nowhere')).errors).toContain('(RESOURCE_NOT_FOUND)');
      expect((await olivia('catalog', 'stats', '--json')).out).toContain('"total_tables": 4');
    });
  });

  describe('running the system', () => {
    it('shows its health, triggers jobs and cleans up', async () => {
      await waitFor('the system is healthy', async () =>
        /^The system is healthy\.\n\nComponents\n/.test((await olivia('cluster', 'health')).out),
      );
      expect((await olivia('cluster', 'instances')).out).toMatch(/^Instances: \d+ of 50; limit per analyst: 5\.\n/);
      expect((await olivia('jobs', 'list', '--tsv')).out).toMatch(/\nlifecycle\t[^\t]*\thealthy\t/);
      expect(await succeed(olivia('jobs', 'trigger', 'reconciliation', '--reason', 'a test'))).toBe(
        'Job reconciliation: queued.\n',
      );
      expect((await olivia('jobs', 'trigger', 'reconciliation', '--reason', 'again')).errors).toContain(
        '(RATE_LIMIT_EXCEEDED)',
      );
      expect((await olivia('jobs', 'trigger', 'washing', '--reason', 'a test')).code).toBe(2);
      await waitFor(
        'the job has run',
        async () => (await olivia('jobs', 'show', 'reconciliation')).out.includes('olivia'),
        TIMEOUT_MS,
      );

      await townOf('bob', 'Town to clean up');
      const bulk = (...words: readonly string[]) =>
        olivia(
          'admin',
          'bulk-delete',
          'mapping',
          '--name-prefix',
          'Town to',
          '--reason',
          'left over',
          '--yes',
          ...words,
        );
      expect((await bulk('--dry-run')).out).toMatch(/^Matches: 1 \(\d+\)\. Nothing was deleted\.\n[^]*\d+ +Town to/);
      expect((await bulk('--expect', '5')).errors).toContain('(VALIDATION_ERROR)');
      expect((await bulk('--expect', '1')).out).toMatch(/^Deleted 1 of 1: \d+\.\n$/);
      expect(
        (await ada('admin', 'bulk-delete', 'mapping', '--owner', 'bob', '--reason', 'x', '--yes')).errors,
      ).toContain('(FORBIDDEN)');
    });

    it('lists parked events, retries them and skips them', async () => {
      const ids = [await townOf('ada', 'Parked'), await townOf('ada', 'Parked behind')];
      for (const id of ids) await succeed(ada('favorites', 'add-mapping', id));
      const [first, second] = await withLogOf(system, async (store, pool) => {
        const events = expectRight(await store.readStream('favorites-ada')).slice(-2);
        await parkEvents(pool, 'favorites', events, 'a bug');
        return events;
      });
      // The first one has already been applied, so that applying it again fails.
      await queryDatabase(system, `DELETE FROM favorites WHERE resource_id = ${ids[1]}`);
      const stream = ['favorites', 'favorites-ada'];

      expect(await succeed(olivia('parked', 'list', '--reader', 'favorites', '--tsv'))).toBe(
        [
          'reader\tstream\tposition\tevent\tin the log\terror',
          `favorites\tfavorites-ada\t${first?.position}\tFavoriteAdded\tfavorites-ada@${first?.revision}\ta bug`,
          `favorites\tfavorites-ada\t${second?.position}\tFavoriteAdded\tfavorites-ada@${second?.revision}\tblocked by an earlier event`,
          '',
        ].join('\n'),
      );
      expect((await olivia('parked', 'list', '--stream', 'favorites-bob')).errors).toBe('No results.\n');
      const { out: shown, errors: hints } = await olivia('parked', 'show', ...stream);
      expect(hints).toContain(`rowgraph log show --position ${first?.position}\n`);
      expect(shown).toMatch(new RegExp(`^position +${first?.position}\\nevent +FavoriteAdded\\n`, 'm'));
      expect(shown).toMatch(/^error +a bug\nattempts +4\n/m);
      expect(await olivia('parked', 'show', 'favorites', 'favorites-bob')).toMatchObject({ code: 1, out: '' });

      expect(await olivia('parked', 'retry', ...stream)).toMatchObject({ code: 2, out: '' });
      const retried = await olivia('parked', 'retry', ...stream, '--reason', 'repaired');
      expect(retried).toMatchObject({ code: 1, out: 'Applied: 0; still parked: 2.\n' });
      expect(retried.errors).toContain('The first event failed again: duplicate key value');
      const skip = (position = '') =>
        olivia('parked', 'skip', ...stream, position, '--reason', 'taken in already', '--yes');
      expect((await skip(second?.position)).errors).toContain('(INVALID_STATE)');
      expect(await succeed(skip(first?.position))).toBe('Applied: 1; still parked: 0.\n');
      expect(
        (await succeed(ada('favorites', 'list'))).split('\n').filter((line) => line.includes('Parked')),
      ).toHaveLength(2);
      expect((await ada('parked', 'list')).errors).toContain('(FORBIDDEN)');
    });

    it('is for ops: limits, maintenance, users and resource counts', async () => {
      expect(await ada('config', 'get')).toMatchObject({ code: 1, out: '' });
      expect((await ada('config', 'get')).errors).toContain('This needs the role ops; yours is analyst. (FORBIDDEN)');

      expect(await succeed(olivia('config', 'set', 'concurrency', 'per_analyst=7'))).toBe(
        'concurrency.per_analyst    7\nconcurrency.cluster_total  50\n',
      );
      expect(await succeed(olivia('config', 'set', 'lifecycle', 'instance.max_ttl=P14D', '--json'))).toContain(
        '"max_ttl": "P14D"',
      );
      for (const [kind, path] of [
        ['concurrency', 'per_analist'],
        ['lifecycle', 'instance.max_tll'],
      ] as const) {
        expect(await olivia('config', 'set', kind, `${path}=9`)).toEqual({
          code: 2,
          out: '',
          errors: `Unknown field "${path}"; see: rowgraph config get ${kind}\n`,
        });
      }
      expect(await olivia('config', 'set', 'concurrency', 'per_analyst=0')).toMatchObject({
        code: 2,
        errors: expect.stringContaining('per_analyst must be') as string,
      });
      const mapping = await townOf('ada', 'Town in maintenance');
      await succeed(olivia('config', 'set', 'maintenance', 'enabled=true', 'message=Back soon'));
      expect((await ada('mappings', 'copy', mapping, 'Never')).errors).toBe(
        'The system is in maintenance. Back soon (SERVICE_UNAVAILABLE)\n',
      );
      await succeed(olivia('config', 'set', 'maintenance', 'enabled=false'));

      expect(await succeed(olivia('users', 'create', 'carol', '--name', 'Carol C'))).toBe(
        'Created user carol (analyst).\n',
      );
      expect(await succeed(olivia('users', 'role', 'carol', 'admin'))).toBe('Changed the role of carol to admin.\n');
      await succeed(olivia('users', 'deactivate', 'carol', '--yes'));
      expect((await olivia('users', 'list')).out).toMatch(/\ncarol +Carol C +admin +no +/);
      expect((await olivia('users', 'bootstrap', 'eve', '--url', system.url)).errors).toContain('(ALREADY_EXISTS)');

      expect((await olivia('cluster', 'state')).out).toMatch(
        /^Instances \(\d+\)\nwaiting_for_snapshot +starting +running[^]*\nLast seal[^]*\nLast verification/,
      );
    });
  });
};
