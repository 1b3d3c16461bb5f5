import { type Position } from '../../domain/kernel/event';
import { createCatchUp } from '../../projections/catch-up';

const at = (position: number): Position => String(position) as Position;

describe('waiting for the read models', () => {
  it('ends as soon as the position is passed', async () => {
    const catchUp = createCatchUp();
    const waiting = catchUp.waitFor(at(10), 5000);
    catchUp.moveTo(at(9));
    catchUp.moveTo(at(12));
    expect(await waiting).toBe(true);
    expect(await catchUp.waitFor(at(12), 0)).toBe(true);
    expect(catchUp.position()).toBe('12');
  });

  it('ends without success when it takes too long', async () => {
    const catchUp = createCatchUp();
    catchUp.moveTo(at(9));
    expect(await catchUp.waitFor(at(10), 5)).toBe(false);
  });

  it('compares positions as numbers, and goes back with the read models', async () => {
    const catchUp = createCatchUp();
    catchUp.moveTo(at(10));
    expect(await catchUp.waitFor(at(9), 0)).toBe(true);
    catchUp.moveTo(at(8));
    expect(await catchUp.waitFor(at(9), 0)).toBe(false);
  });

  it('wakes at the next change, or after a while', async () => {
    const catchUp = createCatchUp();
    const change = catchUp.nextChange(5000);
    catchUp.moveTo(at(1));
    await change;
    await catchUp.nextChange(5);
  });
});
