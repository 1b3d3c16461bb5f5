import { findInvalidText } from '../../../domain/kernel/invalid-text';
import { newEvent } from '../../contracts/event-store/event-samples';

const find = (data: unknown): string | null => findInvalidText([newEvent(), newEvent('Noted', data)]);

describe('finding text that some event stores cannot store', () => {
  it.each([
    ['U+0000 in a text', { name: 'a\u0000b' }, 'data.name'],
    ['half a surrogate pair', { tags: ['fine', '\ud83d'] }, 'data.tags[1]'],
    ['one deep inside', { node_definitions: [{ sql: '\udc00' }] }, 'data.node_definitions[0].sql'],
    ['one in a key', { node_counts: { ok: 1, 'a\u0000': 2 } }, 'data.node_counts'],
    ['data that is a text', '\ud83d', 'data'],
  ])('reports %s', (_what, data, path) => {
    expect(find(data)).toBe(path);
  });

  it.each([
    ['whole pairs', { name: 'owl 🦉' }],
    ['texts that look like escapes', { name: '\\u0000 \\ud83d \\\\u0000' }],
    ['nothing', null],
    ['numbers, null and what JSON leaves out', { n: 1, none: null, gone: undefined, list: [true, 1.5] }],
  ])('accepts %s', (_what, data) => {
    expect(find(data)).toBeNull();
  });

  it('checks the metadata too', () => {
    const event = newEvent();
    expect(findInvalidText([{ ...event, metadata: { ...event.metadata, actor: 'a\u0000' } }])).toBe('metadata.actor');
  });
});
