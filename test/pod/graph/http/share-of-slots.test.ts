import { clientOf } from '../../../../pod/graph/http/handlers';

const nameOf = (headers: Readonly<Record<string, string>>): string =>
  clientOf({ header: (name) => headers[name], address: '127.0.0.1', disconnected: new AbortController().signal }).name;

test.each([
  [{ 'X-Username': 'ada', 'X-Forwarded-For': '192.0.2.1' }, 'user ada'],
  [{ 'X-Forwarded-For': 'forged, 192.0.2.1' }, 'address 192.0.2.1'],
  [{}, 'address 127.0.0.1'],
])('a query with the headers %j uses the share of %s', (headers, name) => expect(nameOf(headers)).toBe(name));
