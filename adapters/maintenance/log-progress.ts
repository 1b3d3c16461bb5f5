import { type Screen } from '../cli/progress-display';

const LINE_EVERY_MS = 5_000;
const REDRAW_EVERY_MS = 200;

/** Shows the progress of a copy of a log: in one line that is redrawn on a terminal, else in a line every five seconds. */
export const logProgress = (screen: Screen) => {
  let step: string | null = null;
  let begun = { at: 0, events: 0 };
  let toldAt = 0;
  const end = (): void => {
    if (step !== null && screen.isTTY) screen.write('\n');
    step = null;
  };
  return {
    /** `events`: how many are done, from the first of the log on. */
    show: (now: string, events: number): void => {
      const at = performance.now();
      const isNew = now !== step;
      if (isNew) {
        end();
        [step, begun] = [now, { at, events }];
      } else if (at - toldAt < (screen.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return;
      toldAt = at;
      const seconds = (at - begun.at) / 1000;
      const speed = seconds < 1 ? '' : `, ${count((events - begun.events) / seconds)} per second`;
      const line = `${now}: ${count(events)} events${speed}`;
      screen.write(screen.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
    },
    end,
  };
};

const count = (number: number): string => Math.round(number).toLocaleString('en-US');
