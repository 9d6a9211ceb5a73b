/** What several generators yield, each as it comes; none of them throws. */
export async function* merged<Value>(all: readonly AsyncGenerator<Value>[]): AsyncGenerator<Value> {
  const next = (generator: AsyncGenerator<Value>) =>
    generator.next().then((result) => ({ generator, result }));
  const waiting = new Map(all.map((generator) => [generator, next(generator)]));
  while (waiting.size > 0) {
    const { generator, result } = await Promise.race(waiting.values());
    if (result.done) waiting.delete(generator);
    else {
      waiting.set(generator, next(generator));
      yield result.value;
    }
  }
}
