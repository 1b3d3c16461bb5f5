import { createRecent, remembering } from '../../../../pod/graph/engine/recent';

describe('recently used values', () => {
  test('the one that was not used for longest makes room', () => {
    const recent = createRecent<number>();
    for (let text = 0; text < 500; text++) recent.set(`text ${text}`, text);
    expect(recent.get('text 0')).toBe(0);
    recent.set('one more', 500);
    expect(recent.get('text 1')).toBeUndefined();
    expect([recent.get('text 0'), recent.get('text 2'), recent.get('one more')]).toEqual([0, 2, 500]);
  });

  test('a function is asked once for each text, and each time for a very long one', () => {
    const asked: number[] = [];
    const lengthOf = remembering((text) => {
      asked.push(text.length);
      return text.length;
    });
    const [short, long] = ['text', 'x'.repeat(10_001)];
    expect([short, short, long, long].map(lengthOf)).toEqual([4, 4, 10_001, 10_001]);
    expect(asked).toEqual([4, 10_001, 10_001]);
  });
});
