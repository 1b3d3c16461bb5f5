import { jsonText } from '../../../../adapters/client/graph-answer';
import { type PodProcess } from './pod-process';

/** Expects that numbers of parameters keep the kind and the value of their JSON text. */
export const expectParameters = async (pod: PodProcess): Promise<void> => {
  const send = (path: string, body: object) => pod.call('POST', path, body);
  const rows = async (query: string, parameters: string, more: object = {}): Promise<string> => {
    const { status, text } = await send('/query', { query, parameters: jsonText(parameters), ...more });
    return status === 200 ? (/"rows":(.*),"row_count"/.exec(text)?.[1] ?? text) : text;
  };
  expect(await rows('RETURN $x / 2, $y / 2', '{"x": 1.0, "y": 1}')).toBe('[[0.5,0]]');
  expect(await rows('UNWIND $xs AS x RETURN x / 2', '{"xs": [1e0, 3.0]}')).toBe('[[0.5],[1.5]]');
  expect(await rows('WITH $m AS m RETURN m.x / 2', '{"m": {"x": 1.0}}', { timeout_ms: jsonText('2e4') })).toBe(
    '[[0.5]]',
  );
  expect(await rows('RETURN $x', '{"x": 9007199254740993}')).toBe('[[9007199254740993]]');
  const hostile = [
    `it's "$1", $2 \\' and -- /* `,
    `'); DROP TABLE node_0; --`,
    '$1',
    "'",
    'a\u0001\tb',
    'x'.repeat(1001),
  ];
  for (const text of hostile) {
    const [x, least] = [JSON.stringify(text), '-9223372036854775808'];
    const parameters = `{"x": ${x}, "least": ${least}, "yes": true, "list": [${x}, "$2"]}`;
    const query = `RETURN $x AS x, $least AS least, $yes AS yes, "$1'" + $x AS own, $x + $least = $x`;
    expect(await rows(query, parameters)).toBe(`[[${x},${least},true,${JSON.stringify(`$1'${text}`)},false]]`);
    expect(await rows('RETURN $x IN $list, $list, $least', parameters)).toBe(`[[true,[${x},"$2"],${least}]]`);
  }
  const cypher = 'MATCH (p:Person) WHERE 1 / $two > 0 RETURN p';
  const subgraph = (parameters: string) => send('/subgraph', { cypher, parameters: jsonText(parameters) });
  expect((await subgraph('{"two": 2.0}')).body).toMatchObject({ data: { node_count: 3 } });
  expect((await subgraph('{"two": 2}')).body).toMatchObject({ data: { node_count: 0 } });
  const response = await fetch(`http://127.0.0.1:${pod.port()}/query`, {
    method: 'POST',
    headers: { Accept: 'text/csv', 'Content-Type': 'application/json' },
    body: '{"query": "RETURN $x / 2 AS x", "parameters": {"x": 1.0}}',
  });
  expect(await response.text()).toBe('x\n0.5\n');
  for (const value of ['1e400', '9223372036854775808', '[{"a": -9223372036854775809}]']) {
    const wrong = await send('/query', { query: 'RETURN $far', parameters: jsonText(`{"far": ${value}}`) });
    const message = expect.stringContaining(/[-\de]{3,}/.exec(value)?.[0] ?? '') as string;
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED', message, details: { field: 'parameters.far' } } },
    });
  }
  const broken = await send('/query', { query: 'RETURN 1', parameters: jsonText('{1.0: 2}') });
  expect([broken.status, broken.text]).toEqual([400, expect.stringContaining('The request could not be read')]);
};
