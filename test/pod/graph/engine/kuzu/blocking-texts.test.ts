import { createBlockingTexts, type BlockingTexts } from '../../../../../pod/graph/engine/kuzu/blocking-texts';

describe('statements that may block', () => {
  let nowMs = 0;
  let texts: BlockingTexts;

  beforeEach(() => (texts = createBlockingTexts(() => nowMs)));

  const run = (text: string, ms: number) =>
    texts.beside(text, () => {
      nowMs += ms;
      return Promise.resolve();
    });

  const runTimes = async (text: string, ms: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) await run(text, ms);
  };

  test('a text may block when it was quick three times in a row', async () => {
    await runTimes('quick', 5, 2);
    await run('quick', 500);
    await runTimes('quick', 5, 2);
    expect(texts.mayBlock('quick')).toBe(false);
    await run('quick', 5);
    expect(texts.mayBlock('quick')).toBe(true);
    expect(texts.mayBlock('another')).toBe(false);
  });

  test('a failure tells nothing about how long a text takes', async () => {
    for (let time = 0; time < 3; time++) {
      await expect(texts.beside('wrong', () => Promise.reject(new Error('Binder exception')))).rejects.toThrow(
        'Binder',
      );
    }
    expect(texts.mayBlock('wrong')).toBe(false);
  });

  test('nothing may block while a text runs that may take long', async () => {
    await runTimes('quick', 1, 3);
    let end = (): void => undefined;
    const long = texts.beside('long', () => new Promise<void>((resolve) => (end = resolve)));
    expect(texts.mayBlock('quick')).toBe(false);
    end();
    await long;
    expect(texts.mayBlock('quick')).toBe(true);
  });

  test('it may block while quick ones run beside it', async () => {
    await runTimes('quick', 1, 3);
    await texts.beside('quick', () => {
      expect(texts.mayBlock('quick')).toBe(true);
      return Promise.resolve();
    });
  });

  test('a text that had to be interrupted does not block again', async () => {
    await runTimes('quick', 1, 3);
    texts.hasBlocked('quick', Infinity);
    expect(texts.mayBlock('quick')).toBe(false);
  });

  test('one stumble is forgiven, but a text that blocks for longer has to be quick a thousand times again', async () => {
    await runTimes('quick', 1, 3);
    texts.hasBlocked('quick', 10);
    expect(texts.mayBlock('quick')).toBe(true);
    for (let time = 0; time < 10 && texts.mayBlock('quick'); time++) texts.hasBlocked('quick', 5);
    expect(texts.mayBlock('quick')).toBe(false);
    await runTimes('quick', 1, 999);
    expect(texts.mayBlock('quick')).toBe(false);
    await run('quick', 1);
    expect(texts.mayBlock('quick')).toBe(true);
  });
});
