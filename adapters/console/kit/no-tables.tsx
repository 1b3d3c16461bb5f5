import { Text } from '@mantine/core';

/** How to add tables to an empty warehouse. */
export const NoTables = () => (
  <Text>
    The warehouse has no tables yet. Put a DuckDB file at <code>.rowgraph/warehouse/shop.duckdb</code>, or Parquet files
    at <code>.rowgraph/warehouse/shop/main/people.parquet</code>, and run <code>npx rowgraph catalog refresh</code>.
  </Text>
);
