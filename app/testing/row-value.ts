/** The value at a metric's path in a flat row, or among its `values`; null where it was not measured. */
export function metricValue(row: object, id: string): number | null {
  const value = rowValue(row, id);
  return typeof value === 'number' ? value : null;
}

/** The same, words and yes or no among `values` too. */
export function rowValue(row: object, id: string): number | string | boolean | null {
  const own = (row as { values?: Record<string, number | string | boolean | null> }).values?.[id];
  if (own !== undefined && own !== null) return own;
  let value: unknown = row;
  for (const key of id.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'number' ? value : null;
}
