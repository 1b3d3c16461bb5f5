import { type Position } from '../../domain/kernel/event';
import { createCatchUp } from '../../projections/catch-up';

const at = (position: number): Position => String(position) as Position;

describe('waiting for the read models', () => {
  it('ends as soon as the position is passed', async () => {
    const catchUp = createCatchUp();
    const waiting = catchUp.waitFor(at(10), 5000);
    catchUp.advance(at(9));
    catchUp.advance(at(12));
    expect(await waiting).toBe(true);
    expect(await catchUp.waitFor(at(12), 0)).toBe(true);
    expect(catchUp.position()).toBe('12');
  });

  it('fails after its timeout', async () => {
    const catchUp = createCatchUp();
    catchUp.advance(at(9));
    expect(await catchUp.waitFor(at(10), 5)).toBe(false);
  });

  it('compares positions as numbers, and never decreases', () => {
    const catchUp = createCatchUp();
    catchUp.advance(at(10));
    catchUp.advance(at(9));
    expect(catchUp.position()).toBe('10');
  });

  it('wakes at the next change, or after an interval', async () => {
    const catchUp = createCatchUp();
    const change = catchUp.nextChange(5000);
    catchUp.advance(at(1));
    await change;
    await catchUp.nextChange(5);
  });
});
