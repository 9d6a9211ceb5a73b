/**
 * The values of several generators, each as soon as it is there. Only the first value of each comes in the order of the generators. No
 * generator waits for the consumer.
 * @throws what one of them throws
 */
export async function* merged<Value>(all: readonly AsyncGenerator<Value>[]): AsyncGenerator<Value> {
  let wake: () => void = () => undefined;
  const failures: unknown[] = [];
  const sources = all.map((generator) => {
    const source = { values: [] as Value[], hasYielded: false, isDone: false };
    const pump = async (): Promise<void> => {
      for await (const value of generator) {
        source.values.push(value);
        wake();
      }
    };
    const end = (error: unknown): void => {
      if (error !== undefined) failures.push(error);
      source.isDone = true;
      wake();
    };
    void pump().then(end, end);
    return source;
  });
  while (sources.some(({ values, isDone }) => !isDone || values.length > 0)) {
    const closed = sources.findIndex(({ hasYielded, isDone }) => !hasYielded && !isDone);
    const open = closed < 0 ? sources : sources.slice(0, closed + 1);
    const next = open.find(({ values }) => values.length > 0);
    const value = next?.values.shift();
    if (next && value !== undefined) {
      next.hasYielded = true;
      yield value;
    } else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if (failures.length > 0) throw failures[0];
  }
}
