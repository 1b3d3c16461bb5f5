import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

export interface ChartProps {
  /** Text alternative for screen readers. */
  readonly label: string;
  readonly xName: string;
  readonly yName: string;
  /** Increasing; seconds since 1970 with `line`. */
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  /** `bars` extend to the next `x`. */
  readonly kind: 'bars' | 'line';
  /** Upper end of the y axis; absent: the highest value. */
  readonly most?: number;
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
}

const HEIGHT = 170;

const shown = (format: (value: number) => string, value: number | null): string =>
  value === null ? '–' : format(value);

/** One series over an axis, with its values under the pointer. */
export const Chart = ({ label, xName, yName, x, y, kind, most, formatX, formatY }: ChartProps) => {
  const element = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const [ink, edge, accent] = isDark ? ['#a6adb4', '#373a40', '#66d9e8'] : ['#5c636a', '#dee2e6', '#0b7285'];
    const axis = { stroke: ink, grid: { stroke: edge, width: 1 }, ticks: { stroke: edge, width: 1 } };
    const paths = kind === 'bars' ? { paths: uPlot.paths.bars?.({ size: [1, Infinity], align: 1, gap: 2 }) } : {};
    const plot = new uPlot(
      {
        width: current.clientWidth,
        height: HEIGHT,
        scales: { x: { time: kind === 'line' }, y: { range: (_, __, highest) => [0, most ?? (highest || 1)] } },
        axes: [
          { ...axis, space: 80, values: (_, all) => all.map(formatX) },
          { ...axis, size: 64, values: (_, all) => all.map(formatY) },
        ],
        series: [
          { label: xName, value: (_, at: number | null) => shown(formatX, at) },
          {
            ...{ label: yName, stroke: accent, fill: `${accent}55`, points: { show: false }, ...paths },
            value: (_, value: number | null) => shown(formatY, value),
          },
        ],
      },
      [[...x], [...y]],
      current,
    );
    const resize = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT }));
    resize.observe(current);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [xName, yName, x, y, kind, most, formatX, formatY, isDark]);
  return <div ref={element} className="chart" role="img" aria-label={label} />;
};
