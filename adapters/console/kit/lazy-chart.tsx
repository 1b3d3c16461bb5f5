import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { type ChartProps } from './chart';

const Chart = lazyRouteComponent(() => import('./chart'), 'Chart');

/** A chart; its library is loaded when it is shown. */
export const LazyChart = (props: ChartProps) => (
  <Suspense fallback={<div className="chart" />}>
    <Chart {...props} />
  </Suspense>
);
