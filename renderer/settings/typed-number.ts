/** NaN for text that is no number, which the setting refuses. An empty field is not 0. */
export function numberOf(typed: string): number {
  return typed === '' ? Number.NaN : Number(typed);
}
