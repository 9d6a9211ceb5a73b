const mostLetters = 2;

/** Those of the known names that are the typed one but for its case or two letters, the nearest first. */
export function nearNames(name: string, known: readonly string[]): string[] {
  return known
    .filter(({ length }) => Math.abs(length - name.length) <= mostLetters)
    .map((candidate) => ({ candidate, far: distance(candidate.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= mostLetters)
    .sort((a, b) => a.far - b.far)
    .map(({ candidate }) => candidate);
}

/** Letters to put in, take out or change to make one word of the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
