import { left, right } from 'fp-ts/Either';
import { replayProgress } from '../../../adapters/maintenance/replay-progress';
import { type Position } from '../../../domain/kernel/event';

const at = (position: string): Position => position as Position;

describe('the progress of a replay', () => {
  let now = 0;
  let printed = '';
  const screen = { isTTY: false, write: (text: string) => (printed += text) !== '' };
  beforeEach(() => {
    [now, printed] = [0, ''];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is shown every two seconds as a share of the log up to the last position, with the remaining time', () => {
    const onPage = replayProgress(right(at('400')), screen, 'building indexes');
    for (now = 1000; now <= 4000; now += 1000) onPage(now / 10, at(String(now / 20)));
    expect(printed).toBe(
      '25 % of the log read, 200 events; about 6 s left\n50 % of the log read, 400 events; about 4 s left\n',
    );
  });

  it('names what follows once at the end of the log', () => {
    const onPage = replayProgress(right(at('400')), screen, 'comparing rows');
    for (now = 2100; now <= 2300; now += 100) onPage(900, at('400'));
    expect(printed).toBe('100 % of the log read, 900 events; comparing rows\n');
  });

  it('is not shown for a log that is read within two seconds', () => {
    const onPage = replayProgress(right(at('400')), screen, 'building indexes');
    now = 1900;
    onPage(900, at('400'));
    expect(printed).toBe('');
  });

  it('is not shown without a last position', () => {
    const onPage = replayProgress(left('the log could not be read'), screen, 'building indexes');
    now = 5000;
    onPage(10, at('10'));
    expect(printed).toBe('');
  });
});
