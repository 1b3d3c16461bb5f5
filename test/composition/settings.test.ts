import { readSettings } from '../../adapters/composition/settings';

test('the variables of the command line do not keep the server from starting in the same shell', () => {
  const settings = readSettings({
    ROWGRAPH_URL: 'http://elsewhere',
    ROWGRAPH_API_KEY: 'key',
    ROWGRAPH_USERNAME: 'ada',
    ROWGRAPH_KOLOUR: 'red',
  });

  expect(settings).toEqual({
    _tag: 'Left',
    left: ['ROWGRAPH_KOLOUR is not a setting of rowgraph; see docs/settings.md'],
  });
});
