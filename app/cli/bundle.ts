/** Of bundles: that of most commands, and what serves a registry or a fleet for days: with the whole engine in it they would take 50 MB more. */
export type Bundle = 'commands' | 'nmos' | 'fleet';

/** The bundle that has the command of these words. The matrix of a fleet measures, with the whole engine. */
export function bundleOf(words: readonly string[]): Bundle {
  const [first] = words;
  if (first === 'nmos') return first;
  return first === 'fleet' && words.slice(0, 2).join(' ') !== 'fleet matrix' ? first : 'commands';
}
