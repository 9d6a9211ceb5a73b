/** One value of each factor. */
export type Combination<Factors extends Record<string, readonly string[]>> = {
  [Factor in keyof Factors]: Factors[Factor][number];
};

/**
 * Few combinations in which each possible pair of values of two factors occurs once at least. The first values of a factor are taken
 * where it does not matter.
 * @param isPossible of a combination that lacks factors: whether those that it has go together
 */
export function pairwise<Factors extends Record<string, readonly string[]>>(
  factors: Factors,
  isPossible: (combination: Partial<Combination<Factors>>) => boolean,
): Combination<Factors>[] {
  type Partly = Partial<Combination<Factors>>;
  const names: (keyof Factors & string)[] = Object.keys(factors);

  /** Of the possible values of the factors that are lacking, those with the most pairs that are still to come. */
  function completed(given: Partly): Combination<Factors> | null {
    const lacking = names.filter((name) => given[name] === undefined);
    const [next] = lacking;
    if (next === undefined) return inOrder(given);
    const gain = (partly: Partly, name: string): number =>
      names.filter((other) => open.has(pairKey(partly, name, other))).length;
    const candidates = (factors[next] ?? [])
      .map((value): Partly => ({ ...given, [next]: value }))
      .filter(isPossible)
      .sort((a, b) => gain(b, next) - gain(a, next));
    for (const candidate of candidates) {
      const whole = completed(candidate);
      if (whole) return whole;
    }
    return null;
  }

  function inOrder(whole: Partly): Combination<Factors> {
    return Object.fromEntries(names.map((name) => [name, whole[name]])) as Combination<Factors>;
  }

  const pairs = names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other) =>
        (factors[one] ?? []).flatMap((a) =>
          (factors[other] ?? []).map((b): Partly => ({ [one]: a, [other]: b }) as Partly),
        ),
      ),
  );
  const keysOf = (combination: Partly): string[] =>
    names.flatMap((one, index) => names.slice(index + 1).map((other) => pairKey(combination, one, other)));
  const open = new Set(pairs.flatMap(keysOf).filter((key) => key !== absent));
  const found: Combination<Factors>[] = [];
  for (const pair of pairs) {
    if (!keysOf(pair).some((key) => open.has(key))) continue;
    const whole = isPossible(pair) ? completed(pair) : null;
    if (whole) found.push(whole);
    for (const key of keysOf(whole ?? pair)) open.delete(key);
  }
  return found;
}

const absent = '';

/** The same in either order; empty: the combination lacks one of the two. */
function pairKey(combination: Partial<Record<string, string>>, one: string, other: string): string {
  const [first, second] = one < other ? [one, other] : [other, one];
  const [a, b] = [combination[first], combination[second]];
  return first === second || a === undefined || b === undefined ? absent : `${first}=${a}, ${second}=${b}`;
}
